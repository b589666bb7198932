// Placeholder so that the skeleton builds.
