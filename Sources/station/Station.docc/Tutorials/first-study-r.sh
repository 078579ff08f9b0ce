Rscript first-study.R
