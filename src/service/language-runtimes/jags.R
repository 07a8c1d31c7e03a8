# Samples a JAGS model with rjags: one process per chain, draws in blocks of about half a second.
#
#   Rscript jags.R FOLDER      FOLDER/settings.txt, data.txt, inits-1.txt …, as jags-files.ts writes them
#
# In a run of the service (EXPERIMENT_ID), draws are sent to it; otherwise chain_1.csv … are written to FOLDER, and
# progress lines to standard output.

options(warn = 1, jags.pb = "none")
if (!requireNamespace("rjags", quietly = TRUE)) {
  writeLines("rjags or JAGS is not installed (Debian: apt install r-cran-rjags jags).", stderr())
  quit(save = "no", status = 1)
}
suppressPackageStartupMessages({
  library(rjags)
  library(parallel)
})
folder <- commandArgs(TRUE)[1]
is_served <- nzchar(Sys.getenv("EXPERIMENT_ID"))
if (is_served) source(Sys.getenv("ERGODIC_R"))

# The error as one line, the last on standard error: it becomes the run's message. JAGS names the line of the model.
fail <- function(text) {
  text <- gsub("\\s+", " ", trimws(text))
  writeLines(sub("^(Error parsing model file:|RUNTIME ERROR:) ", "", text), stderr())
  quit(save = "no", status = 1)
}

place <- function(name) file.path(folder, name)

read_settings <- function() {
  lines <- strsplit(readLines(place("settings.txt"), encoding = "UTF-8"), "\t", fixed = TRUE)
  stats::setNames(lapply(lines, function(line) line[-1]), vapply(lines, `[`, "", 1))
}

# Two lines per variable: its name and dimensions, then its values column by column.
read_values <- function(path) {
  if (!file.exists(path)) return(list())
  lines <- readLines(path, encoding = "UTF-8")
  if (length(lines) == 0) return(list())
  heads <- strsplit(lines[c(TRUE, FALSE)], "\t", fixed = TRUE)
  values <- Map(function(head, line) {
    numbers <- as.numeric(strsplit(line, " ", fixed = TRUE)[[1]])
    if (length(head) > 1) array(numbers, as.integer(strsplit(head[2], ",")[[1]])) else numbers
  }, heads, lines[c(FALSE, TRUE)])
  stats::setNames(values, vapply(heads, `[`, "", 1))
}

settings <- read_settings()
number <- function(key) as.numeric(settings[[key]])
chains <- seq_len(number("chains"))
thin <- number("thin")
data <- read_values(place("data.txt"))

# A separate random stream for each chain, derived only from the seed and the chain's number.
build <- function(chain) {
  inits <- read_values(place(paste0("inits-", chain, ".txt")))
  inits$.RNG.name <- "base::Mersenne-Twister"
  inits$.RNG.seed <- (number("seed") * 1000003 + chain * 7919) %% 2147483563 + 1
  jags.model(settings$model, data, inits = list(inits), n.chains = 1, n.adapt = 0, quiet = TRUE)
}

# Runs `total` iterations in blocks of about half a second, each a multiple of `step`. `before`: iterations of earlier
# phases.
in_blocks <- function(total, step, work, phase, chain, before) {
  done <- 0
  size <- step
  while (done < total) {
    count <- min(size, total - done)
    since <- proc.time()[["elapsed"]]
    work(count)
    took <- max(proc.time()[["elapsed"]] - since, 1e-3)
    done <- done + count
    if (!is_served) cat("progress ", chain, " ", phase, " ", before + done, "\n", sep = "")
    size <- step * max(1, floor(min(4, 0.5 / took) * count / step))
  }
}

# A matrix with one column per element: theta[1], theta[1,2]. `values`: as jags.samples returns a variable.
columns_of <- function(name, values) {
  size <- dim(values)
  shape <- utils::head(size, -2)
  draws <- t(matrix(as.numeric(values), prod(shape), size[length(size) - 1]))
  is_scalar <- length(shape) == 1 && shape == 1
  places <- apply(arrayInd(seq_len(prod(shape)), shape), 1, paste, collapse = ",")
  colnames(draws) <- if (is_scalar) name else paste0(name, "[", places, "]")
  known <- data[[name]]
  # elements that are data, and those that the model never defines
  is_left_out <- is.na(draws[1, ]) & !is.nan(draws[1, ])
  if (!is.null(known)) is_left_out <- is_left_out | !is.na(as.vector(known))
  draws[, !is_left_out, drop = FALSE]
}

# Every variable that is not given; for data with missing values, those values.
monitored <- function(model) {
  if (length(settings$monitor) > 0) return(settings$monitor)
  is_given <- vapply(data, function(values) !anyNA(values), TRUE)
  setdiff(variable.names(model), names(data)[is_given])
}

sample_chain <- function(chain, names) {
  say <- function(...) if (is_served) cat("Chain ", chain, ": ", ..., "\n", sep = "")
  model <- suppressWarnings(build(chain))
  in_blocks(number("adapt"), 1, function(n) adapt(model, n), "warmup", chain, 0)
  if (!adapt(model, 0, end.adaptation = TRUE))
    message("Chain ", chain, ": the adaptation is incomplete after ", number("adapt"),
      " iterations, so its samplers may be inefficient. Set num_adapt higher.")
  in_blocks(number("warmup"), 1, function(n) update(model, n), "warmup", chain, number("adapt"))
  say("adaptation and burn-in are done")
  if (is_served) run <- ergodic_run()
  else file <- file(place(paste0("chain_", chain, ".csv")), "w")
  has_head <- FALSE
  in_blocks(number("samples"), thin, function(n) {
    values <- jags.samples(model, names, n, thin = thin)
    draws <- do.call(cbind, unname(Map(columns_of, names(values), values)))
    if (is_served) return(ergodic_send(run, draws, chain))
    if (!has_head) writeLines(paste0("\"", colnames(draws), "\"", collapse = ","), file)
    has_head <<- TRUE
    writeLines(apply(draws, 1, function(row) paste(sprintf("%.17g", row), collapse = ",")), file)
    flush(file)
  }, "sampling", chain, number("adapt") + number("warmup"))
  if (is_served) ergodic_finish(run) else close(file)
  say(number("samples") / thin, " draws")
}

for (name in settings$modules) tryCatch(load.module(name, quiet = TRUE), error = function(error) fail(paste0(
  "JAGS has no module ", name, ".")))

# Compiled once here, so that an error is reported only once and before the chains start.
names <- tryCatch({
  model <- withCallingHandlers(build(1), warning = function(warning) {
    message("Warning: ", conditionMessage(warning))
    invokeRestart("muffleWarning")
  })
  monitored(model)
}, error = function(error) fail(conditionMessage(error)))
unknown <- setdiff(names, c(variable.names(model), "deviance"))
if (length(unknown) > 0) fail(paste0("The model has no variable ", unknown[1], " (monitor)."))
if (length(names) == 0) fail("Every variable of the model is data: there is nothing to sample.")
if ("deviance" %in% names) load.module("dic", quiet = TRUE)
samplers <- list.samplers(model)
for (kind in utils::head(unique(names(samplers)), 20)) {
  nodes <- unlist(samplers[names(samplers) == kind])
  shown <- paste(utils::head(nodes, 6), collapse = ", ")
  if (is_served) cat("Sampler ", kind, ": ", shown, if (length(nodes) > 6) paste(" and", length(nodes) - 6, "more"), "\n", sep = "")
}
rm(model)

outcomes <- mclapply(chains, function(chain) tryCatch({
  sample_chain(chain, names)
  NULL
}, error = function(error) list(chain = chain, said = conditionMessage(error))),
mc.cores = min(number("parallel"), length(chains)), mc.preschedule = FALSE)
failed <- Filter(Negate(is.null), outcomes)
if (length(failed) > 0) {
  first <- failed[[1]]
  fail(if (is.list(first)) paste0("Chain ", first$chain, ": ", first$said) else as.character(first))
}
