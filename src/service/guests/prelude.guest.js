/* oxlint-disable typescript/unbound-method -- methods are taken here to be called with `call` */
'use strict';
// A block, since a guest must not see these names; its last expression is the value of the script.
{
  const { parse, stringify } = JSON;
  const { freeze, create, defineProperty, assign } = Object;
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const typedTag = Object.getOwnPropertyDescriptor(
    Object.getPrototypeOf(Uint8Array.prototype),
    Symbol.toStringTag,
  ).get;
  const call = Function.prototype.call.bind(Function.prototype.call);

  function base64(value) {
    const bytes =
      value instanceof ArrayBuffer
        ? new Uint8Array(value)
        : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    const parts = [];
    let part = '';
    for (let i = 0; i < bytes.length; i += 3) {
      const left = bytes.length - i;
      const word =
        (bytes[i] << 16) | ((left > 1 ? bytes[i + 1] : 0) << 8) | (left > 2 ? bytes[i + 2] : 0);
      part +=
        letters[word >> 18] +
        letters[(word >> 12) & 63] +
        (left > 1 ? letters[(word >> 6) & 63] : '=') +
        (left > 2 ? letters[word & 63] : '=');
      if (part.length > 8192) {
        parts.push(part);
        part = '';
      }
    }
    parts.push(part);
    return parts.join('');
  }

  // JSON lacks NaN and infinities but data contain them: they cross as marked texts.
  const MARK = '\u0001';
  const unmark = (key, value) =>
    typeof value === 'string' && value[0] === MARK ? Number(value.slice(1)) : value;
  const mark = (key, value) => {
    const shown = plain(key, value);
    return typeof shown === 'number' && !Number.isFinite(shown) ? MARK + shown : shown;
  };

  function plain(key, value) {
    if (typeof value === 'bigint') {
      if (value >= -9007199254740991n && value <= 9007199254740991n) return Number(value);
      throw new TypeError(
        'The answer holds a bigint beyond 2^53, which JSON cannot: send it as text.',
      );
    }
    if (typeof value === 'function' || typeof value === 'symbol') return undefined;
    if (value instanceof ArrayBuffer) return { base64: base64(value) };
    if (value !== null && typeof value === 'object') {
      const tag = call(typedTag, value);
      if (tag === 'Uint8Array' || tag === 'Uint8ClampedArray') return { base64: base64(value) };
      if (tag !== undefined) return Array.from(value, (item) => plain('', item));
      if (value instanceof Map) return Object.fromEntries(value);
      if (value instanceof Set) return Array.from(value);
    }
    return value;
  }

  function show(value) {
    if (typeof value === 'string') return value;
    if (value instanceof Error)
      return value.name + ': ' + value.message + '\n' + (value.stack || '');
    if (typeof value === 'function') return '[function ' + value.name + ']';
    if (typeof value === 'symbol' || value === undefined) return String(value);
    if (typeof value === 'bigint') return value + 'n';
    try {
      return stringify(value, plain);
    } catch (error) {
      return '[' + error.message + ']';
    }
  }
  function reader(read) {
    return (what, id, options) => {
      if (typeof id !== 'string')
        throw new TypeError('ergodic.' + what + ' takes an id, such as "X1234567".');
      const [text, buffer] = read(
        stringify({ what, id, options: options === undefined ? {} : options }),
      );
      return { value: parse(text), buffer };
    };
  }

  function draws(ask, id, { variables, chains, thin, from, to, phase } = {}) {
    const { value, buffer } = ask('draws', id, { variables, chains, thin, from, to, phase });
    const byName = create(null);
    for (const { variable, chain, offset, count } of value) {
      const column = new Float64Array(buffer, 8 * offset, count);
      defineProperty(column, 'chain', { value: chain });
      (byName[variable] ??= []).push(column);
    }
    return byName;
  }

  function data(ask, id) {
    const { value, buffer } = ask('data', id);
    return value.text === null ? assign(value, { bytes: new Uint8Array(buffer) }) : value;
  }

  function api(parameters, ask, say) {
    return freeze({
      parameters,
      experiment: (id) => ask('experiment', id).value,
      summary: (id) => ask('summary', id).value,
      draws: (id, options) => draws(ask, id, options),
      data: (id) => data(ask, id),
      base64,
      log: say,
    });
  }

  // oxlint-disable-next-line no-unused-expressions -- evaluating this text gives the function
  (function start(read, log) {
    const ask = reader(read);
    const say = (...values) => {
      log(values.map(show).join(' '));
    };
    globalThis.console = freeze({ log: say, info: say, warn: say, error: say, debug: say });

    return function run(module, form, parametersText) {
      const isData = form === 'data';
      const parameters = parse(parametersText, isData ? unmark : undefined);
      const handler = typeof module.default === 'function' ? module.default : module.run;
      const ergodic = api(parameters, ask, say);
      globalThis.ergodic = ergodic;
      if (typeof handler !== 'function')
        throw new TypeError(
          'The entrance file exports no function: write "export default function (parameters, ergodic) { … }".',
        );
      const args = isData ? [parameters.workflow, parameters.data, ergodic] : [parameters, ergodic];
      return (async () => {
        const answer = await handler(...args);
        const text = stringify(answer === undefined ? null : answer, isData ? mark : plain);
        return text === undefined ? 'null' : text;
      })();
    };
  });
}
