/** How runs that are sampled elsewhere are shown here during sampling. */
import type { Topic } from './topic.ts';

export const elsewhere: readonly Topic[] = [
  {
    id: 'cmdstan',
    title: 'CmdStan, CmdStanPy, CmdStanR',
    meaning: [
      '`ergodic watch FOLDER` follows the CSV files of a run while they are written. It makes an experiment with the traces, the summary and the verdict that any run has, prints its address, and ends when every chain is complete.',
      'Warmup draws are not sent, whether they are saved or not. A chain that starts again gets a new name; its first attempt is kept but left out of the verdict.',
    ],
    advice: [
      'Make a token: *Account*, *API tokens*, or `ergodic token`. Set `ERGODIC_TOKEN` to it and `ERGODIC_SERVER` to the address of this service.',
      'Name the folder for the files: `output_dir` in CmdStanPy and CmdStanR, `output file=` in CmdStan.',
      'Start `ergodic watch FOLDER`, before the run or during it. `--model model.stan --data data.json` show the program and the data with it, `--chains 4` says how many chains to wait for, `--new` ignores what is already in the folder, `--once` reads runs that are over.',
      'Ctrl-C ends the watch and keeps the draws; the same command continues it. If the service is unavailable, the watch continues when it is back.',
    ],
  },
  {
    id: 'python',
    title: 'PyMC and other samplers in Python',
    meaning: [
      'The client is installed from the source folder: `pip install ./clients/python`. It needs nothing but Python.',
      'Draws are sent by a thread, so the sampler does not wait. While the service is unavailable they are kept and sent later; nothing is stored twice.',
    ],
    advice: [
      'PyMC: `with ergodic.Run("name") as run:` and inside it `pm.sample(callback=ergodic.watch_pymc(run))`.',
      'Any other: `run.add({"mu": mu, "theta": theta}, chain=1)` for a draw, `run.send({"mu": [...]}, chain=1)` for several. Arrays become `theta[1]`, `theta[1,2]`.',
      'An exception ends the run as failed, Ctrl-C as stopped; its draws are kept. *Stop and keep draws* on the page of the run ends sampling too.',
    ],
  },
  {
    id: 'r',
    title: 'Samplers in R',
    meaning: [
      'One file is enough, with base R (and the program `curl` for https): `source("clients/r/ergodic.R")`. Runs of CmdStanR need none of it: `ergodic watch` follows their files.',
    ],
    advice: [
      '`run <- ergodic_run("name")`, then `ergodic_add(run, list(mu = mu, theta = theta), chain = 1)` for a draw or `ergodic_send(run, draws, chain = 1)` for a table of them, and at the end `ergodic_finish(run)`.',
      'While the service is unavailable, draws are kept; `ergodic_finish` waits for it.',
    ],
  },
];
