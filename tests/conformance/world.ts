/** What the conformance cases act on: people, and one of each thing. */
import type { Experiment } from '../../src/contract/experiment.ts';
import { hashPassword } from '../../src/service/auth/passwords.ts';
import { addData, addFinishedExperiment, addModel, addWorkflow } from '../support/objects.ts';
import {
  createTestService,
  type Person,
  type TestService,
  type TestServiceOptions,
} from '../support/service.ts';

export interface World {
  readonly service: TestService;
  /** Signs in with `password`. */
  readonly ada: Person;
  readonly bob: Person;
  readonly password: string;
  /** Ids of Ada's things. */
  readonly model: string;
  readonly data: string;
  readonly workflow: string;
  readonly experiment: Experiment;
}

export async function createWorld(options: TestServiceOptions = {}): Promise<World> {
  const service = await createTestService(options);
  const password = 'correct horse';
  const ada = await service.addPerson('ada', { passwordHash: await hashPassword(password) });
  const bob = await service.addPerson('bob');
  return {
    service,
    ada,
    bob,
    password,
    model: (await addModel(ada.client)).short_id,
    data: (await addData(ada.client)).short_id,
    workflow: (await addWorkflow(ada.client)).short_id,
    experiment: await addFinishedExperiment(service, ada.client),
  };
}

/** Well-formed ids that do not exist. */
export const unknown = { model: 'M0000000', experiment: 'X0000000', workflow: 'F0000000' };
