# Shows the draws of any R sampler on a running Ergodic service while it samples. Base R; source() this file.
#
#   source("clients/r/ergodic.R")
#   run <- ergodic_run("eight schools")
#   for (i in 1:1000) ergodic_add(run, list(mu = rnorm(1), theta = rnorm(8)), chain = 1)
#   ergodic_finish(run)
#
#   ergodic_send(run, draws, chain = 1)      # a data frame or matrix with a column a variable, several draws at once
#
# Address and token come from ERGODIC_SERVER and ERGODIC_TOKEN (`ergodic token` makes one), or are given to ergodic_run.
# Base R speaks no https, so the program `curl` does: Linux, macOS and Windows 10 have it.
# In a program that the service itself runs, source(Sys.getenv("ERGODIC_R")): ergodic_run() is then the run it belongs to,
# and ergodic_data() and ergodic_settings() are its data and settings (they need the package jsonlite).
# Draws of CmdStanR need nothing of this: `ergodic watch FOLDER` follows its files.

# A run on the service. `draws`: how many each chain will make; `seconds`: time between two messages. While the
# service is away draws are kept and go with the next message; ergodic_finish waits for it up to `patience` seconds.
ergodic_run <- function(name = "", server = Sys.getenv("ERGODIC_SERVER", "http://127.0.0.1:8650"),
                        token = Sys.getenv("ERGODIC_TOKEN"), model_id = "", data_id = "", draws = NULL,
                        seconds = 1, patience = 600) {
  is_given <- nzchar(Sys.getenv("ERGODIC_AUTH_TOKEN"))
  if (is_given) {
    server <- Sys.getenv("ERGODIC_SERVER_ENDPOINT")
    token <- Sys.getenv("ERGODIC_AUTH_TOKEN")
  }
  if (!nzchar(token))
    stop("An API token is needed: set ERGODIC_TOKEN or give token= (`ergodic token` makes one).", call. = FALSE)
  if (startsWith(server, "https:") && !nzchar(Sys.which("curl")))
    stop("The program curl is not installed, and base R cannot send by https without it.", call. = FALSE)
  run <- new.env()
  run$is_given <- is_given
  run$server <- sub("/+$", "", server)
  run$token <- token
  run$seconds <- seconds
  run$patience <- patience
  run$waiting <- list()
  run$sent <- list()
  run$sent_at <- 0
  run$is_away <- FALSE
  run$is_over <- FALSE
  if (is_given) {
    run$id <- Sys.getenv("EXPERIMENT_ID")
    run$batch <- Sys.getenv("BATCH_ID")
    run$run <- Sys.getenv("RUN_ID")
    return(invisible(run))
  }
  key <- function() paste(sample(c(0:9, letters), 22, replace = TRUE), collapse = "")
  run$batch <- .ergodic_own_chance(key)
  run$run <- .ergodic_own_chance(key)
  meta <- if (is.null(draws)) .ergodic_object() else list(iteration_count = as.integer(draws))
  made <- .ergodic_call(run, "/api/object", list(
    object_type = "experiment", name = name, run_on = "local", model_id = model_id, input_id = data_id, meta = meta
  ))
  run$id <- regmatches(made, regexec('"short_id" *: *"([^"]+)"', made))[[1]][2]
  run$url <- paste0(run$server, "/experiments/", run$id)
  .ergodic_update(run, list(status = "RUN", meta = list(run_info = .ergodic_info(run, "RUN"))))
  message("Ergodic: ", run$url)
  invisible(run)
}

# One draw of a chain: a named list of numbers, vectors, matrices or arrays. Elements are named as Stan does:
# theta[1], theta[1,2].
ergodic_add <- function(run, draw, chain = 1) {
  flat <- do.call(c, unname(Map(.ergodic_flat, names(draw), draw)))
  ergodic_send(run, as.data.frame(as.list(flat), optional = TRUE), chain)
}

# Several draws of a chain, behind those that were added before.
ergodic_send <- function(run, draws, chain = 1) {
  if (run$is_over) stop("The run has ended on the service.", call. = FALSE)
  name <- if (is.character(chain)) chain else paste0("chain#", chain)
  columns <- lapply(as.data.frame(draws, optional = TRUE), as.numeric)
  known <- run$waiting[[name]]
  if (!is.null(known) && !setequal(names(known), names(columns)))
    stop("The variables of ", name, " are not those of its earlier draws.", call. = FALSE)
  run$waiting[[name]] <-
    if (is.null(known)) columns else Map(function(old, new) c(old, new), known, columns[names(known)])
  if (.ergodic_now() - run$sent_at >= run$seconds) .ergodic_flush(run)
  invisible(run)
}

# Of a program that the service runs: its data (JSON) and its settings, complete, with the seed. NULL without data.
ergodic_data <- function() .ergodic_read("data")
ergodic_settings <- function() .ergodic_read("settings.json")

# Sends what waits and ends the run: the service judges it.
ergodic_finish <- function(run) .ergodic_end(run, "SAMPLE_FIN")

# Ends the run as failed; its draws are kept.
ergodic_fail <- function(run, reason) .ergodic_end(run, "ERR", reason)

.ergodic_end <- function(run, status, reason = NULL) {
  if (run$is_over) return(invisible(run))
  until <- .ergodic_now() + run$patience
  while (!.ergodic_flush(run)) {
    if (.ergodic_now() > until) stop("The service did not answer, so draws are missing there.", call. = FALSE)
    Sys.sleep(min(1, run$seconds))
  }
  # a run of the service's own ends with its program
  if (run$is_given && !is.null(reason)) stop(reason, call. = FALSE)
  if (!run$is_over && !run$is_given) {
    if (!is.null(reason)) {
      said <- list(message = list(action = "experiment:error", data = reason))
      .ergodic_post(run, list(object_type = "experiment.text_message", datas = .ergodic_array(list(said))))
    }
    .ergodic_update(run, list(status = status, meta = list(run_info = .ergodic_info(run, status))))
  }
  run$is_over <- TRUE
  invisible(run)
}

# Numbers of one message.
.ergodic_most_values <- 200000

# FALSE: the service is away, and the draws wait on under the same numbers, so that none is doubled.
.ergodic_flush <- function(run) {
  run$sent_at <- .ergodic_now()
  repeat {
    count <- function(columns) if (length(columns) == 0) 0 else length(columns[[1]])
    full <- Filter(function(columns) count(columns) > 0, run$waiting)
    if (length(full) == 0) return(TRUE)
    vars <- lapply(full, function(columns) {
      most <- max(1, .ergodic_most_values %/% length(columns))
      lapply(columns, function(values) .ergodic_array(utils::head(values, most)))
    })
    sent <- function(name) if (is.null(run$sent[[name]])) 0 else run$sent[[name]]
    counts <- vapply(vars, count, 0)
    iteration <- lapply(names(vars), function(name) .ergodic_array(sent(name) + c(1, counts[[name]])))
    names(iteration) <- names(vars)
    logs <- list(vars = vars, iteration = iteration)
    answer <- tryCatch(
      .ergodic_post(run, list(object_type = "experiment.protobuf_message", logs = logs)),
      ergodic_away = function(away) away
    )
    if (inherits(answer, "ergodic_away")) {
      if (!run$is_away) message("Ergodic: no answer from the service. Trying again; draws are kept.")
      run$is_away <- TRUE
      return(FALSE)
    }
    if (run$is_over) return(TRUE)
    if (run$is_away) message("Ergodic: the service answers again.")
    run$is_away <- FALSE
    for (name in names(vars)) {
      run$sent[[name]] <- sent(name) + counts[[name]]
      run$waiting[[name]] <- lapply(run$waiting[[name]], utils::tail, -counts[[name]])
    }
  }
}

.ergodic_info <- function(run, status)
  list(batch_id = run$batch, run_id = run$run, experiment_id = run$id, status = status)

.ergodic_update <- function(run, fields)
  .ergodic_retry(run, function() .ergodic_object_call(run, c(list(object_type = "experiment"), fields)))

.ergodic_post <- function(run, message)
  .ergodic_object_call(run, c(message, list(batch_id = run$batch, run_id = run$run)))

.ergodic_object_call <- function(run, payload) .ergodic_call(run, paste0("/api/object/", run$id), payload)

.ergodic_retry <- function(run, work) {
  until <- .ergodic_now() + run$patience
  repeat {
    answer <- tryCatch(work(), ergodic_away = function(away) away)
    if (!inherits(answer, "ergodic_away")) return(answer)
    if (.ergodic_now() > until) stop(conditionMessage(answer), call. = FALSE)
    Sys.sleep(min(1, run$seconds))
  }
}

# The answer's text. An "ergodic_away" condition when there is none; run$is_over when the owner stopped the run.
.ergodic_call <- function(run, path, payload) {
  text <- enc2utf8(.ergodic_json(list(payload = payload)))
  by <- if (startsWith(run$server, "http:")) .ergodic_by_socket else .ergodic_by_curl
  answer <- by(run, path, charToRaw(text))
  said <- answer$said
  code <- answer$code
  if (isTRUE(code == 200L)) return(said)
  away <- is.na(code) || code == 0L || code >= 500L || code == 429L
  if (away) stop(structure(
    class = c("ergodic_away", "error", "condition"),
    list(message = paste("No answer from", run$server), call = NULL)
  ))
  if (grepl('"CONFLICT"', said, fixed = TRUE) && grepl('"stopped"', said, fixed = TRUE)) {
    message("Ergodic: the run was stopped on the service, so no more draws are accepted.")
    run$is_over <- TRUE
    return(said)
  }
  stop("Ergodic: ", sub('.*"message" *: *"((\\\\.|[^"\\\\])*)".*', "\\1", said), call. = FALSE)
}

.ergodic_by_curl <- function(run, path, bytes) {
  body <- tempfile()
  config <- tempfile()
  answer <- tempfile()
  on.exit(unlink(c(body, config, answer)))
  writeBin(bytes, body)
  # the token is in a file, since others can read the arguments of a program
  old <- Sys.umask("077")
  writeLines(c(
    paste0("header = \"Authorization: Bearer ", run$token, "\""), "header = \"Content-Type: application/json\""
  ), config)
  Sys.umask(old)
  arguments <- c("-sS", "--max-time", "60", "-K", config, "--data-binary", paste0("@", body), "-o", answer, "-w",
    "%{http_code}", paste0(run$server, path))
  status <- suppressWarnings(system2("curl", shQuote(arguments), stdout = TRUE, stderr = FALSE))
  code <- if (is.null(attr(status, "status"))) suppressWarnings(as.integer(status[1])) else 0L
  said <- if (file.exists(answer)) paste(readLines(answer, warn = FALSE, encoding = "UTF-8"), collapse = "\n") else ""
  list(code = code, said = said)
}

# Version 1.0 of HTTP: the answer comes in one piece and ends with the connection.
.ergodic_by_socket <- function(run, path, bytes) {
  parts <- regmatches(run$server, regexec("^http://(\\[[^]]+\\]|[^:/]+)(:([0-9]+))?(/.*)?$", run$server))[[1]]
  port <- if (nzchar(parts[4])) as.integer(parts[4]) else 80L
  head <- paste0("POST ", parts[5], path, " HTTP/1.0\r\nHost: ", parts[2], parts[3], "\r\nAuthorization: Bearer ", run$token,
    "\r\nContent-Type: application/json\r\nContent-Length: ", length(bytes), "\r\n\r\n")
  all <- tryCatch(suppressWarnings({
    socket <- socketConnection(gsub("[][]", "", parts[2]), port, blocking = TRUE, open = "r+b", timeout = 60)
    on.exit(close(socket))
    writeBin(c(charToRaw(head), bytes), socket)
    pieces <- list()
    while (length(piece <- readBin(socket, "raw", 65536)) > 0) pieces[[length(pieces) + 1]] <- piece
    as.raw(unlist(pieces))
  }), error = function(error) raw())
  # one that has no end was cut off
  end <- grepRaw("\r\n\r\n", all, fixed = TRUE)
  if (length(end) == 0) return(list(code = 0L, said = ""))
  lines <- strsplit(rawToChar(all[seq_len(end - 1)]), "\r\n", fixed = TRUE)[[1]]
  said <- all[-seq_len(end + 3)]
  size <- as.numeric(sub("^content-length: *", "", grep("^content-length:", lines, value = TRUE, ignore.case = TRUE)[1],
    ignore.case = TRUE))
  if (!is.na(size) && length(said) < size) return(list(code = 0L, said = ""))
  said <- rawToChar(said)
  Encoding(said) <- "UTF-8"
  list(code = suppressWarnings(as.integer(sub("^HTTP/[0-9.]+ +([0-9]+).*", "\\1", lines[1]))), said = said)
}

.ergodic_read <- function(name) {
  file <- file.path(if (basename(getwd()) == "model") ".." else ".", name)
  if (!file.exists(file)) return(NULL)
  if (!requireNamespace("jsonlite", quietly = TRUE))
    stop("The package jsonlite is not installed (Debian: apt install r-cran-jsonlite).", call. = FALSE)
  jsonlite::fromJSON(file)
}

.ergodic_now <- function() as.numeric(Sys.time())

# Leaves the caller's random numbers as they are: a sampler's seed must give the same draws with and without this.
.ergodic_own_chance <- function(work) {
  before <- if (exists(".Random.seed", globalenv(), inherits = FALSE)) get(".Random.seed", globalenv()) else NULL
  on.exit(if (is.null(before)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", before, globalenv()))
  set.seed(NULL)
  work()
}

.ergodic_flat <- function(name, value) {
  if (length(value) == 1 && is.null(dim(value))) return(stats::setNames(as.numeric(value), name))
  size <- if (is.null(dim(value))) length(value) else dim(value)
  places <- arrayInd(seq_along(value), size)
  stats::setNames(as.numeric(value), paste0(name, "[", apply(places, 1, paste, collapse = ","), "]"))
}

.ergodic_array <- function(values) structure(list(values = values), class = "ergodic_array")
length.ergodic_array <- function(x) length(unclass(x)$values)
.ergodic_object <- function() structure(list(), names = character(0))

# JSON of named lists, texts, numbers and arrays. Numbers keep all their digits; NaN and infinities go as texts.
.ergodic_json <- function(value) {
  if (inherits(value, "ergodic_array")) {
    values <- unclass(value)$values
    parts <- if (is.list(values)) vapply(values, .ergodic_json, "") else .ergodic_number(values)
    return(paste0("[", paste(parts, collapse = ","), "]"))
  }
  if (is.list(value)) {
    names <- vapply(names(value), .ergodic_text, "")
    return(paste0("{", paste0(names, if (length(value)) ":", vapply(value, .ergodic_json, ""), collapse = ","), "}"))
  }
  if (is.character(value)) .ergodic_text(value) else .ergodic_number(value)
}

.ergodic_number <- function(values) {
  text <- sprintf("%.17g", as.numeric(values))
  ifelse(is.finite(values), text, paste0("\"", ifelse(is.nan(values) | is.na(values), "NaN",
    ifelse(values > 0, "Infinity", "-Infinity")), "\""))
}

.ergodic_text <- function(text) {
  text <- gsub("\\", "\\\\", enc2utf8(text), fixed = TRUE)
  text <- gsub("\"", "\\\"", text, fixed = TRUE)
  for (code in c(1:31)) text <- gsub(intToUtf8(code), sprintf("\\u%04x", code), text, fixed = TRUE)
  paste0("\"", text, "\"")
}
