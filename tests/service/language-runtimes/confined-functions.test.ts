/** Functions and data scripts in Python: parameters in, answer out, failures with their place. */
import { expect, it } from 'vitest';
import type { GuestLimits } from '../../../src/service/guests/guest-frames.ts';
import { createConfinedRunner } from '../../../src/service/language-runtimes/confined-functions.ts';
import { rememberRuntimes } from '../../../src/service/language-runtimes/confinement.ts';
import { describeWith } from '../../support/needs.ts';

const runner = createConfinedRunner(rememberRuntimes({}));
const limits: GuestLimits = {
  milliseconds: 15e3,
  memoryBytes: 128 * 2 ** 20,
  answerBytes: 2 ** 20,
  logBytes: 2 ** 16,
  reads: 0,
  readBytes: 0,
};

function call(text: string, parameters: unknown = {}, form: 'function' | 'data' = 'function') {
  const files = new Map([
    ['fun/main.py', Buffer.from(text)],
    ['fun/part.py', Buffer.from('def twice(x): return 2 * x')],
  ]);
  return runner.run(
    {
      language: 'python',
      files,
      entrance: 'fun/main.py',
      parameters: JSON.stringify(parameters),
      form,
    },
    limits,
  );
}

describeWith('bubblewrap', 'a function in Python', () => {
  it('answers with the result of its function run, and can import its own modules', async () => {
    const result = await call(
      'from part import twice\nprint("a line")\ndef run(parameters): return {"twice": twice(parameters["x"]), "nan": float("nan")}',
      { x: 21 },
    );
    expect(result).toMatchObject({ ok: true, log: 'a line\n' });
    expect(result.ok && JSON.parse(result.answer)).toEqual({ twice: 42, nan: '\u0001NaN' });
  });

  it('answers from a script with a file, an explicit answer, or the last printed line', async () => {
    const answer = async (text: string) => {
      const result = await call(text, { a: [1] });
      return result.ok ? (JSON.parse(result.answer) as unknown) : result.failure;
    };
    expect(
      await answer('import json, sys\nprint(json.dumps(json.load(open(sys.argv[1]))))'),
    ).toEqual({ a: [1] });
    expect(await answer('import ergodic\nergodic.answer((1, "two"))')).toEqual([1, 'two']);
    expect(
      await answer(
        'import os\nopen(os.path.join(os.environ["ERGODIC_OUTPUT_DIR"], "output.html"), "w").write("<p>")',
      ),
    ).toEqual({ base64: 'PHA+', file_name: 'output.html' });
    expect(await answer('print("no JSON")')).toBeNull();
  });

  it('that fails is reported with its file and line', async () => {
    const result = await call(
      'def run(parameters):\n    return part(parameters)\n\ndef part(x):\n    return x["missing"]',
    );
    expect(result).toMatchObject({
      ok: false,
      failure: { kind: 'guest', message: "KeyError: 'missing'", file: 'fun/main.py', line: 5 },
    });
  });

  it('is ended at its limits', async () => {
    const slow = await runner.run(
      {
        language: 'python',
        files: new Map([['m.py', Buffer.from('while True: pass')]]),
        entrance: 'm.py',
        parameters: '{}',
      },
      { ...limits, milliseconds: 400 },
    );
    expect(slow).toMatchObject({ ok: false, failure: { kind: 'limit' } });
    const large = await call('x = [bytearray(10_000_000) for _ in range(1000)]');
    expect(large).toMatchObject({ ok: false, failure: { kind: 'limit' } });
  });
});

describeWith('bubblewrap', 'a data script in Python', () => {
  it('receives workflow and data, and its function parse returns the data of the run', async () => {
    const result = await call(
      'def parse(workflow, data):\n    return {"N": len(data["y"]), "name": workflow["name"], "low": min(data["y"])}',
      { workflow: { name: 'w' }, data: { y: [1, '\u0001-Infinity', 3] } },
      'data',
    );
    expect(result.ok && JSON.parse(result.answer)).toEqual({
      N: 3,
      name: 'w',
      low: '\u0001-Infinity',
    });
  });
});
