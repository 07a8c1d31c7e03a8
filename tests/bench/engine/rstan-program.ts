/** A current program as rstan 2.21 reads it: array sizes after the name, functions by their old names. */

/** Old names of functions, and names that C++ reserves. */
const renamed: Readonly<Record<string, string>> = {
  gp_exp_quad_cov: 'cov_exp_quad',
  variance: 'variance_now',
};

/** Declarations of arrays with sizes: `array[N] vector<lower=0>[K] x` becomes `vector<lower=0>[K] x[N]`. */
const declaration = /\barray\[([^\]]*[^\],\s][^\]]*)\]\s*(\w+(?:<[^>]*>)?(?:\[[^\]]*\])?)\s+(\w+)/g;
/** Arguments of functions: `array[,] real x` becomes `real[,] x`. */
const argument = /\barray\[([,\s]*)\]\s*(\w+)/g;

export function rstanProgram(source: string): string {
  let text = source.replace(declaration, '$2 $3[$1]').replace(argument, '$2[$1]');
  for (const [name, old] of Object.entries(renamed)) {
    text = text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), old);
  }
  return text.endsWith('\n') ? text : `${text}\n`;
}
