station list first-study
station report first-study --output first-study.html
