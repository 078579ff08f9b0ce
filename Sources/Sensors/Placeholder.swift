// Sensors
