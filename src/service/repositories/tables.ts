/** The rows of all tables, made from the schema by tests/service/repositories/tables.test.ts. Not written by hand. */

export interface Tables {
  analyses: {
    readonly id: number;
    readonly workflow_id: number;
    readonly experiment_id: number | null;
    readonly analyzer_id: string;
    readonly user_id: number;
    readonly state: 'open' | 'done' | 'failed';
    readonly attempts: number;
    readonly return_code: number | null;
    readonly errlines: string;
    readonly hash: Uint8Array | null;
    readonly file_name: string;
    readonly created_at: string;
    readonly started_at: string | null;
    readonly finished_at: string | null;
  };
  blob_candidates: {
    readonly id: number;
    readonly hash: Uint8Array;
  };
  blobs: {
    readonly hash: Uint8Array;
    readonly bytes: Uint8Array;
    readonly size: number;
    readonly created_at: string;
  };
  callbacks: {
    readonly id: number;
    readonly lang: string;
    readonly code: string;
    readonly single_instance: boolean;
    readonly token: string;
  };
  data_objects: {
    readonly id: number;
    readonly fmt: string;
    readonly size: number;
  };
  data_versions: {
    readonly data_id: number;
    readonly version: number;
    readonly hash: Uint8Array;
    readonly fmt: string;
    readonly size: number;
    readonly created_at: string;
  };
  deletions: {
    readonly key: string;
    readonly user_id: number;
    readonly created_at: string;
  };
  draw_batches: {
    readonly experiment_id: number;
    readonly chain: number;
    readonly phase: 'warmup' | 'sampling';
    readonly layout_id: number;
    readonly first_iteration: number;
    readonly count: number;
    readonly source: string;
    readonly bytes: Uint8Array;
  };
  draw_layouts: {
    readonly id: number;
    readonly experiment_id: number;
    readonly hash: Uint8Array;
    readonly columns: unknown;
  };
  events: {
    readonly id: number;
    readonly builtin: string | null;
    readonly builtin_owner: number | null;
  };
  experiment_chains: {
    readonly experiment_id: number;
    readonly chain: number;
    readonly name: string;
    readonly state: 'queued' | 'running' | 'paused' | 'done' | 'stopped' | 'failed' | 'outside';
    readonly desired_state: 'run' | 'pause' | 'stop';
    readonly phase: string;
    readonly iteration: number;
    readonly iterations: number;
    readonly saved_warmup: number;
    readonly saved_samples: number;
    readonly checkpoint: Uint8Array | null;
    readonly divergences: number;
    readonly treedepth_hits: number;
    readonly draws_per_second: number | null;
    readonly warmup_seconds: number;
    readonly sampling_seconds: number;
    readonly step_size: number | null;
    readonly lease: number;
    readonly worker_id: number | null;
    readonly attempts: number;
    readonly error_code: string | null;
    readonly error_message: string | null;
    readonly priority: number;
    readonly queued_at: string;
    readonly started_at: string | null;
    readonly finished_at: string | null;
    readonly heartbeat_at: string | null;
    readonly owner_id: number | null;
    readonly person_id: number | null;
    readonly run_on: string | null;
    readonly parallel_chains: number | null;
    readonly warmed_by: number | null;
  };
  experiments: {
    readonly id: number;
    readonly model_id: number | null;
    readonly workflow_id: number | null;
    readonly data_id: number | null;
    readonly model_name: string;
    readonly model_version: number | null;
    readonly data_name: string;
    readonly data_version: number | null;
    readonly program: unknown;
    readonly data_hash: Uint8Array | null;
    readonly data_fmt: string;
    readonly data_script: string | null;
    readonly settings: unknown;
    readonly input_id: string;
    readonly output: string;
    readonly run_on: string;
    readonly meta: unknown;
    readonly n_chains: number;
    readonly n_variables: number;
    readonly n_samples: number;
    readonly sample_update_time: string | null;
    readonly summary: unknown;
    readonly revision: number;
    readonly started_at: string | null;
    readonly finished_at: string | null;
    readonly started_by: number | null;
    readonly trace_parent: string | null;
    readonly owner_id: number;
  };
  export_files: {
    readonly experiment_id: number;
    readonly fmt: string;
    readonly n_iteration: number;
    readonly revision: number;
    readonly state: 'generating' | 'done' | 'error';
    readonly path: string;
    readonly size: number;
    readonly message: string;
    readonly created_at: string;
  };
  function_answers: {
    readonly function_id: string;
    readonly version: number;
    readonly user_id: number;
    readonly parameters_hash: Uint8Array;
    readonly answer: string;
    readonly created_at: string;
  };
  function_calls: {
    readonly id: number;
    readonly function_id: string;
    readonly version: number;
    readonly user_id: number;
    readonly event_id: number | null;
    readonly state: 'open' | 'done' | 'failed';
    readonly background: boolean;
    readonly parameters: string;
    readonly lock_key: string | null;
    readonly attempts: number;
    readonly error_code: string | null;
    readonly error: string | null;
    readonly log: string;
    readonly milliseconds: number | null;
    readonly created_at: string;
    readonly started_at: string | null;
    readonly finished_at: string | null;
  };
  identities: {
    readonly id: number;
    readonly issuer: string;
    readonly subject: string;
    readonly user_id: number;
    readonly label: string;
    readonly is_account_made: boolean;
    readonly signed_in_at: string;
  };
  limits: {
    readonly key: string;
    readonly level: number;
    readonly updated_at: string;
  };
  log_chunks: {
    readonly experiment_id: number;
    readonly stream: string;
    readonly byte_offset: number;
    readonly line_offset: number;
    readonly bytes: number;
    readonly lines: number;
    readonly batch_id: string;
    readonly run_id: string;
    readonly created_at: string;
    readonly content: string;
  };
  log_streams: {
    readonly experiment_id: number;
    readonly stream: string;
    readonly bytes: number;
    readonly lines: number;
  };
  model_versions: {
    readonly model_id: number;
    readonly version: number;
    readonly tree: unknown;
    readonly content_meta: unknown;
    readonly entrance_file: string;
    readonly created_at: string;
  };
  models: {
    readonly id: number;
    readonly env: string;
    readonly lang: string;
    readonly single_instance: boolean;
    readonly lambda_image: boolean;
    readonly meta: unknown;
  };
  notifications: {
    readonly id: number;
    readonly user_id: number;
    readonly event: string;
    readonly title: string;
    readonly message: string;
    readonly msg_object: string;
    readonly msg_verb: string;
    readonly share_id: string;
    readonly created_at: string;
    readonly read_at: string | null;
  };
  object_blobs: {
    readonly object_id: number;
    readonly hash: Uint8Array;
  };
  object_tallies: {
    readonly id: number;
    readonly owner_id: number;
    readonly kind: string;
    readonly status: string;
    readonly hidden: boolean;
    readonly n: number;
    readonly is_folded: boolean;
  };
  objects: {
    readonly id: number;
    readonly kind: string;
    readonly row_number: number;
    readonly short_id: string;
    readonly owner_id: number;
    readonly name: string;
    readonly description: string;
    readonly status: string | null;
    readonly tags: readonly string[];
    readonly version: number;
    readonly created_at: string;
    readonly updated_at: string;
    readonly deleted_key: string | null;
    readonly deleted_at: string | null;
    readonly name_folded: string;
    readonly shared_until: string | null;
  };
  program_runs: {
    readonly experiment_id: number;
    readonly runtime: string;
    readonly batch_id: string;
    readonly run_id: string;
    readonly settings: unknown;
    readonly token_id: number | null;
  };
  project_entries: {
    readonly id: number;
    readonly project_id: number;
    readonly text: string;
    readonly version: number;
    readonly created_at: string;
    readonly updated_at: string;
    readonly deleted_at: string | null;
  };
  project_members: {
    readonly project_id: number;
    readonly object_id: number;
    readonly added_at: string;
  };
  projects: {
    readonly id: number;
    readonly note: string;
  };
  provider_sessions: {
    readonly token_id: number;
    readonly identity_id: number;
    readonly id_token: string;
  };
  queue_places: {
    readonly experiment_id: number;
    readonly place: number;
    readonly waiting: number;
    readonly since: string;
    readonly priority: number;
    readonly counted_at: string;
  };
  queue_turns: {
    readonly owner_id: number;
    readonly taken_at: string;
    readonly weight: number;
    readonly chain_limit: number | null;
  };
  relations: {
    readonly id: number;
    readonly object1_id: number;
    readonly object2_id: number;
    readonly params: unknown;
  };
  runner_offsets: {
    readonly experiment_id: number;
    readonly chain: number;
    readonly source: string;
    readonly from_iteration: number;
    readonly offset: number;
  };
  runner_runs: {
    readonly experiment_id: number;
    readonly batch_id: string;
    readonly run_id: string;
    readonly status: 'RUN' | 'SAMPLE_FIN' | 'ERR' | 'STOPPED';
    readonly error: string;
    readonly stats: unknown;
    readonly started_at: string;
    readonly last_message_at: string;
    readonly ended_at: string | null;
  };
  sample_marks: {
    readonly relation_id: number;
    readonly experiment_id: number;
    readonly chain: number;
    readonly fired: number;
  };
  saved_views: {
    readonly user_id: number;
    readonly list: string;
    readonly views: unknown;
  };
  services: {
    readonly id: number;
    readonly host: string;
    readonly pid: number;
    readonly version: string;
    readonly files: string;
    readonly started_at: string;
    readonly heartbeat_at: string;
  };
  settings: {
    readonly key: string;
    readonly value: unknown;
  };
  share_members: {
    readonly share_id: number;
    readonly object_id: number;
    readonly short_id: string | null;
    readonly added_at: string;
    readonly snapshot: unknown;
  };
  shared_rounds: {
    readonly id: number;
    readonly taken_at: string;
  };
  shares: {
    readonly id: number;
    readonly object_id: number;
    readonly password_hash: string | null;
    readonly password_version: number;
    readonly target_user_id: number | null;
    readonly include: readonly string[];
    readonly expires_at: string | null;
    readonly failed_attempts: number;
    readonly snapshot: unknown;
  };
  sign_ins: {
    readonly state_hash: Uint8Array;
    readonly browser_hash: Uint8Array;
    readonly nonce: string;
    readonly verifier: string;
    readonly redirect_uri: string;
    readonly user_id: number | null;
    readonly expires_at: string;
  };
  tasks: {
    readonly kind: 'analysis' | 'call' | 'export' | 'import' | 'moment_match' | 'program';
    readonly subject_id: number;
    readonly part: string;
    readonly payload: unknown;
    readonly state: 'waiting' | 'running';
    readonly attempts: number;
    readonly max_attempts: number;
    readonly lease: number;
    readonly lease_until: string;
    readonly worker_id: number | null;
    readonly queued_at: string;
    readonly owner_id: number | null;
    readonly person_id: number | null;
    readonly run_on: string | null;
  };
  team_members: {
    readonly team_id: number;
    readonly user_id: number;
  };
  teams: {
    readonly id: number;
    readonly issuer: string | null;
    readonly group_name: string | null;
  };
  tokens: {
    readonly id: number;
    readonly user_id: number;
    readonly kind: 'login' | 'api' | 'start' | 'run';
    readonly hash: Uint8Array;
    readonly prefix: string;
    readonly name: string;
    readonly description: string;
    readonly scope: string | null;
    readonly expires_at: string;
    readonly last_used_at: string | null;
    readonly created_at: string;
    readonly deleted_key: string | null;
    readonly deleted_at: string | null;
  };
  uploads: {
    readonly id: string;
    readonly owner_id: number;
    readonly name: string;
    readonly size: number;
    readonly received: number;
    readonly fingerprint: string;
    readonly experiment_id: number | null;
    readonly created_at: string;
    readonly touched_at: string;
  };
  users: {
    readonly id: number;
    readonly name: string;
    readonly password_hash: string | null;
    readonly super: boolean;
    readonly roles: readonly string[];
    readonly created_at: string;
    readonly is_team: boolean;
  };
  workers: {
    readonly id: number;
    readonly host: string;
    readonly pid: number;
    readonly pools: readonly string[];
    readonly slots: number;
    readonly started_at: string;
    readonly heartbeat_at: string;
    readonly version: string;
    readonly engine: number;
    readonly desired_state: 'work' | 'drain' | 'retire';
    readonly is_own_process: boolean;
    readonly job: string;
  };
  workflows: {
    readonly id: number;
    readonly model_id: number | null;
    readonly data_id: number | null;
    readonly experiment_id: number | null;
    readonly analyzer_id: number | null;
    readonly analyzer_result: string | null;
    readonly startup_script: string | null;
    readonly settings: string | null;
    readonly data_script: string | null;
    readonly uri: string;
    readonly builtin_analyzer: string;
  };
}

/** Some columns of a table's row, by their names in the schema. */
export type Columns<T extends keyof Tables, C extends keyof Tables[T]> = Pick<Tables[T], C>;
