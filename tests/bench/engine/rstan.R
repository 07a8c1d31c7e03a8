# Tasks for rstan 2.21 (Debian's r-cran-rstan) from the bench "engine", one per process:
#   Rscript rstan.R compile PROGRAM.stan MODEL.rds
#   Rscript rstan.R sample REQUEST.json
# Both print one line of JSON after "result: ". Processor time is that of the process and the compilers it starts.
suppressPackageStartupMessages(library(rstan))
args <- commandArgs(trailingOnly = TRUE)

cpu <- function() sum(proc.time()[c("user.self", "sys.self", "user.child", "sys.child")])
answer <- function(value) {
  cat("result: ", jsonlite::toJSON(value, auto_unbox = TRUE, digits = NA), "\n", sep = "")
}
peak_bytes <- function() {
  line <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
  1024 * as.numeric(gsub("[^0-9]", "", line))
}

compile <- function(program, model) {
  before <- cpu()
  compiled <- stan_model(program, boost_lib = "/usr/include")
  seconds <- cpu() - before
  saveRDS(compiled, model)
  list(compileSeconds = seconds, version = as.character(packageVersion("rstan")))
}

# Converts nested lists of numbers to arrays; a list of one number stays an array.
as_data <- function(value) {
  if (!is.list(value)) return(value)
  flat <- as.numeric(unlist(value))
  if (all(flat == round(flat)) && all(abs(flat) < 2^31)) storage.mode(flat) <- "integer"
  sizes <- c()
  inner <- value
  while (is.list(inner)) {
    sizes <- c(sizes, length(inner))
    inner <- inner[[1]]
  }
  aperm(array(flat, dim = rev(sizes)), rev(seq_along(sizes)))
}

sample_all <- function(file) {
  request <- jsonlite::fromJSON(file, simplifyVector = FALSE)
  data <- lapply(jsonlite::fromJSON(request$data, simplifyVector = FALSE), as_data)
  model <- readRDS(request$model)
  before <- cpu()
  fit <- sampling(
    model, data = data, chains = request$chains, cores = 1, seed = request$seed,
    warmup = request$warmup, iter = request$warmup + request$samples, refresh = 0,
    init_r = request$initRadius,
    control = list(adapt_delta = request$adaptDelta, max_treedepth = request$maxTreeDepth))
  sampled <- cpu()
  # iterations, chains, columns
  draws <- as.array(fit, pars = unlist(request$parameters))
  invisible(summary(fit))
  summarised <- cpu()
  steps <- get_sampler_params(fit, inc_warmup = TRUE)
  connection <- file(request$draws, "wb")
  writeBin(as.double(draws), connection)
  close(connection)
  own <- get_elapsed_time(fit)
  answer(list(
    totalSeconds = sampled - before,
    chainSeconds = sum(own),
    summarySeconds = summarised - sampled,
    leapfrogs = sum(sapply(steps, function(chain) sum(chain[, "n_leapfrog__"]))),
    divergences = sum(sapply(steps, function(chain)
      sum(chain[-seq_len(request$warmup), "divergent__"]))),
    columns = dim(draws)[3],
    peakBytes = peak_bytes()))
}

if (args[1] == "compile") answer(compile(args[2], args[3])) else sample_all(args[2])
