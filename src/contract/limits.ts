/** Bounds of this service. Separate from what a server reports about itself, which every dashboard page loads. */

/** Bounds of every deployment; each is named in the error that enforces it. */
export const limits = {
  /** Bytes of a request body with content: models, data, draws, messages of runners. */
  body_bytes: 64 * 2 ** 20,
  /** Bytes of the body of `/invoke`: parameters of a function. */
  parameter_body_bytes: 4 * 2 ** 20,
  /** Bytes of a body that contains a command or a list of ids. */
  command_body_bytes: 64 * 2 ** 10,
  /** Bytes of every other body, and of all bodies from callers who are not signed in. */
  small_body_bytes: 16 * 2 ** 10,
  /** Bytes of a body's texts, not counting its content. */
  body_text_bytes: 4 * 2 ** 20,
  /** Values of a body: numbers, texts, names, lists and objects, counted one by one. */
  body_values: 50_000,
  /** Numbers in one message of a runner, and its names, lists and objects. */
  message_numbers: 4 * 2 ** 20,
  message_values: 500_000,
  /** How many times its own size a compressed body may unpack to, if that is more than 1 MiB. */
  body_ratio: 100,
  /** Bytes of one file of a model. */
  file_bytes: 16 * 2 ** 20,
  tree_nodes: 2000,
  tree_depth: 32,
  /** Bytes of the settings of a workflow. */
  settings_bytes: 64 * 2 ** 10,
  /** Values and names in them. */
  settings_values: 10_000,
  /** Bytes of a data object with starting values. */
  inits_bytes: 2 ** 20,
  /** Chains, variables, and processes of outside runners that an experiment may have. */
  runner_chains: 1000,
  runner_variables: 20_000,
  runner_runs: 10_000,
  /** For one call of a cloud function: time, memory, bytes of its answer and log, reads and their bytes. */
  function_seconds: 50,
  function_memory_bytes: 256 * 2 ** 20,
  function_answer_bytes: 16 * 2 ** 20,
  function_log_bytes: 64 * 2 ** 10,
  function_reads: 200,
  function_read_bytes: 128 * 2 ** 20,
  /** For a call whose caller does not wait for the answer. */
  function_background_seconds: 600,
  /** Bytes of a callback's code. */
  callback_bytes: 2 ** 20,
  /** Bytes of one message that a client sends on a WebSocket. */
  socket_message_bytes: 256 * 2 ** 10,
  /** Open WebSockets of one user, or of one address that used a share. */
  sockets_per_user: 32,
  /** Open WebSockets of one service process. */
  sockets: 20_000,
  /** Variables, counted in each chain, that one WebSocket may subscribe to. */
  socket_subscriptions: 20_000,
  /** Bytes of one piece of an upload. */
  upload_piece_bytes: 8 * 2 ** 20,
  /** Uploads of one user that no import uses yet. */
  uploads_per_user: 128,
  /** Files that one import may take from uploads. */
  import_uploads: 64,
  page_size: 1000,
} as const;

/** The limits an endpoint may name for its body. */
export type BodyLimit =
  | 'body_bytes'
  | 'parameter_body_bytes'
  | 'command_body_bytes'
  | 'small_body_bytes'
  | 'upload_piece_bytes';
