# VERB__ this package with CmdStanR: Rscript run.R (needs cmdstanr and CmdStan: https://mc-stan.org/cmdstanr).

library(cmdstanr)

file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
here <- if (length(file) == 1) dirname(normalizePath(file)) else getwd()
dir.create(file.path(here, "output"), showWarnings = FALSE)
model <- cmdstan_model(
  PROGRAM__,
  include_paths = FOLDER__
)
fit <- model$METHOD__(
  data = DATA__,
  ARGUMENTS__,
  output_dir = file.path(here, "output")
)
print(fit$summary())
fit$cmdstan_diagnose()  # if sampled
