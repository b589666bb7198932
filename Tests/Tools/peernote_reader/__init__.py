"""A reader of .peernote files, written from peernote(5) alone."""
