/** Objects as a server would send them, for tests of the dashboard; every member can be overridden. */

import type { Token, User } from '../../src/contract/account.ts';
import type { Data } from '../../src/contract/data.ts';
import type { Experiment, ExperimentMeta } from '../../src/contract/experiment.ts';
import type { Model } from '../../src/contract/model.ts';
import type { Notification } from '../../src/contract/notification.ts';
import type { Queue, QueueWorker } from '../../src/contract/queue.ts';
import type { Share } from '../../src/contract/share.ts';
import type { Space } from '../../src/contract/space.ts';
import { capabilities, type ServerConfig } from '../../src/contract/system.ts';
import type { Workflow } from '../../src/contract/workflow.ts';

/** All fake times are before this one. */
const fakeNow = Date.parse('2026-11-20T07:41:32Z');

export function minutesAgo(minutes: number): string {
  return new Date(fakeNow - minutes * 60_000).toISOString();
}

export function createFakeUser(overrides: Partial<User> = {}): User {
  return {
    id: 1,
    username: 'ada(@1)',
    super: false,
    roles: [],
    is_github_user: false,
    has_password: true,
    ...overrides,
  };
}

export function createFakeConfig(overrides: Partial<ServerConfig> = {}): ServerConfig {
  return {
    run_model_url: '',
    max_upload_sample_size: 0,
    max_upload_sample_file: 0,
    upload_file_types: '',
    google_client_id: '',
    google_app_id: '',
    default_model: '',
    default_data: '',
    default_analyzer: '',
    default_data_script: '',
    capabilities: [...capabilities],
    runtimes: { stan: true },
    version: '0.1.0',
    ...overrides,
  };
}

export function createFakeQueue(overrides: Partial<Queue> = {}): Queue {
  return {
    runs: [],
    total: { runs: 0, waiting: 0, running: 0 },
    workers: [],
    users: [],
    may_manage: false,
    ...overrides,
  };
}

export function createFakeWorker(overrides: Partial<QueueWorker> = {}): QueueWorker {
  return {
    id: 1,
    host: 'alpha',
    pid: 100,
    pools: [],
    slots: 4,
    desired_state: 'work',
    can_retire: true,
    is_silent: false,
    version: '0.1.0',
    started_at: minutesAgo(60),
    heartbeat_at: minutesAgo(0),
    tasks: 0,
    runs: [],
    ...overrides,
  };
}

export function createFakeModel(overrides: Partial<Model> = {}): Model {
  return {
    object_type: 'model',
    id: 1,
    short_id: 'M0000001',
    name: 'A model',
    meta: null,
    tags: [],
    content: {
      meta: { entrance_file: 'model.stan' },
      tree: [{ name: 'model.stan', type: 'file', content: fakeProgram, encoding: 'text' }],
    },
    env: 'stan',
    lang: 'stan',
    description: '',
    version: 1,
    created_at: minutesAgo(90),
    updated_at: minutesAgo(12),
    owner: 'ada(@1)',
    ...overrides,
  };
}

const fakeProgram =
  'data {\n  int<lower=0> J;\n  vector[J] y;\n  vector<lower=0>[J] sigma;\n}\nparameters {\n  real mu;\n}\nmodel {\n  y ~ normal(mu, sigma);\n}\n';

export function createFakeData(overrides: Partial<Data> = {}): Data {
  return {
    object_type: 'data',
    name: 'schools.json',
    description: '',
    short_id: 'D0000001',
    created_at: minutesAgo(90),
    updated_at: minutesAgo(60),
    path: '/files/schools.json',
    fmt: 'json',
    id: 1,
    version: 1,
    size: 64,
    owner: 'ada(@1)',
    ...overrides,
  };
}

export function createFakeExperiment(
  overrides: Partial<Omit<Experiment, 'meta'>> & { meta?: ExperimentMeta } = {},
): Experiment {
  return {
    object_type: 'experiment',
    short_id: 'X0000001',
    name: 'A run',
    model_name: 'A model',
    model_id: 'M0000001',
    status: 'FIN',
    n_chains: 4,
    n_variables: 10,
    n_samples: 1000,
    sample_update_time: minutesAgo(31),
    run_on: '',
    workflow_id: '',
    workflow_name: '',
    created_at: minutesAgo(32),
    updated_at: minutesAgo(31),
    owner: 'ada(@1)',
    ...overrides,
  };
}

export function createFakeWorkflow(overrides: Partial<Workflow> = {}): Workflow {
  return {
    object_type: 'workflow',
    short_id: 'F0000001',
    name: 'A workflow',
    created_at: minutesAgo(90),
    updated_at: minutesAgo(31),
    model_id: 'M0000001',
    model_name: 'A model',
    data_id: 'D0000001',
    data_name: 'schools.json',
    data_fmt: 'json',
    settings: 'sampling:\n  num_chains: 4\n',
    owner: 'ada(@1)',
    ...overrides,
  };
}

export function createFakeShare(overrides: Partial<Share> = {}): Share {
  return {
    object_type: 'share',
    id: 1,
    user_id: 1,
    short_id: 'S0000001',
    experiment_id: 'X0000001',
    experiment_name: 'A run',
    password: '',
    created_at: minutesAgo(60),
    from_user: 'ada(@1)',
    to_user: null,
    expires_at: null,
    include: [],
    ...overrides,
  };
}

export function createFakeToken(overrides: Partial<Token> = {}): Token {
  return {
    id: 1,
    token: 'erg_abcdef…',
    token_name: 'laptop',
    token_desc: '',
    token_expire: new Date(fakeNow + 7 * 86_400_000).toISOString(),
    created_at: minutesAgo(60),
    last_used_at: null,
    ...overrides,
  };
}

export function createFakeNotification(overrides: Partial<Notification> = {}): Notification {
  return {
    id: 1,
    event: 'experiment_finished',
    title: 'A run finished',
    message: '',
    msg_object: 'X0000001',
    msg_verb: 'finished',
    created_at: minutesAgo(5),
    read_at: null,
    ...overrides,
  };
}

export function createFakeSpace(overrides: Partial<Space> = {}): Space {
  const kinds = ['model', 'data', 'draws', 'logs', 'files'] as const;
  return {
    kinds: kinds.map((kind, index) => ({ kind, bytes: 1000 * 10 ** index, objects: index + 1 })),
    deleted: { bytes: 0, objects: 0 },
    ...overrides,
  };
}
