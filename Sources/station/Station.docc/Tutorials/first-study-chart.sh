station chart response first-study --response -60:180 --output response.svg
