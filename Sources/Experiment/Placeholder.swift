// Experiment
