import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectKind } from '../../src/client/expect-kind.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});
afterAll(() => service.close());

describe('the thin path', () => {
  it('goes from a gallery workflow to an experiment', async () => {
    const { client } = service.owner;
    expect(await client.viewUser()).toMatchObject({ username: 'owner(@1)', super: true, has_password: false });
    const workflow = expectKind(
      await client.createObject({ body: { payload: { object_type: 'workflow', uri: 'ergodic-gallery:eight-schools' } } }),
      'workflow',
    );
    const started = await client.invoke({ body: { target: workflow.short_id, action: 'run_sample', get_response: true } });
    const experiment = expectKind(
      await client.viewObject({ params: { objid: started.experiment_id as string } }),
      'experiment',
    );
    expect(experiment).toMatchObject({ status: 'NEW', workflow_id: workflow.short_id, name: started.experiment_name });
    expect(await client.viewDraws({ params: { objid: experiment.short_id } })).toBeInstanceOf(ArrayBuffer);
  });
});
