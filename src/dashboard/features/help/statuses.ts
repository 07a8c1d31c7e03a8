/** The states of a run. */
import type { Topic } from './topic.ts';

export const statuses: readonly Topic[] = [
  {
    id: 'new',
    title: 'New, Queued',
    meaning: [
      '*New* has not been started. *Queued* waits for a free core; the number is its place, and *Queue* shows what is ahead of it. It starts automatically.',
    ],
    advice: ['To let it begin sooner, stop or pause a run that is not urgent.'],
  },
  {
    id: 'running',
    title: 'Running, Finishing',
    meaning: [
      'Chains are sampling; draws appear as they are stored and are safe from then on, even if a process is killed. *Finishing* means that all chains have ended and the summary is being computed.',
    ],
  },
  {
    id: 'paused',
    title: 'Paused',
    meaning: [
      'The state of the sampler is stored, and no core is used. *Resume* continues with the draws that it would have made without the pause.',
    ],
  },
  {
    id: 'finished',
    title: 'Finished',
    meaning: [
      'Every chain made all of its draws. The verdict says whether they can be used. *More draws* extends the run.',
    ],
  },
  {
    id: 'stopped',
    title: 'Stopping, Stopped',
    meaning: [
      'The run was ended by hand before all draws were made. The draws so far are kept, and the verdict is based on them.',
    ],
  },
  {
    id: 'error',
    title: 'Error',
    meaning: [
      'The program or its data are wrong, or a chain could not start. The reason is at the top of the page, with the line of the program where it is known. Draws made before are kept.',
    ],
    advice: [
      'Fix what the message names and run again.',
      '“No starting point found” means that the log density was not finite anywhere near 0 on the unconstrained scale: check bounds and priors, or give initial values.',
    ],
  },
];
