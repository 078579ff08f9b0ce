// Bundles
