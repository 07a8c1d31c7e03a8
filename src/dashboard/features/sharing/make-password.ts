/** Passwords that can be read aloud: three words of the field and two digits, about 31 bits. */
import { itemAt } from '../../../shared/items.ts';

const words = (
  'anchor arrow basin birch bridge candle canyon cedar chain cliff cloud coral crane delta dune eagle ember fern field fjord flint ' +
  'forest fox funnel garnet glade grove harbor hare hazel heron hill iris ivy jade juniper kestrel lagoon lake lark lemon lichen ' +
  'lily linden lynx maple marsh meadow mint moss north oak ocean olive opal orchid otter owl pebble pine plain plum pond poplar ' +
  'prairie quartz quiet quill rain raven reed ridge river robin rowan sage sand shore silver slate sparrow spring spruce star ' +
  'stone storm stream summit swan thyme tide timber trail tulip valley violet walnut wave willow wind winter wren yarrow yew zephyr'
).split(' ');

/** `random(n)` returns a uniform integer in [0, n). */
export function makePassword(random: (n: number) => number = secureRandom): string {
  const parts = Array.from({ length: 3 }, () => itemAt(words, random(words.length)));
  return `${parts.join('-')}-${10 + random(90)}`;
}

function secureRandom(n: number): number {
  const limit = Math.floor(2 ** 32 / n) * n;
  for (;;) {
    const [value = limit] = crypto.getRandomValues(new Uint32Array(1));
    if (value < limit) return value % n;
  }
}
