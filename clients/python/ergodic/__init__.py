"""Shows the draws of any Python sampler on a running Ergodic service while it samples. Standard library only.

    import ergodic
    with ergodic.Run("eight schools") as run:
        for mu, theta in my_sampler():
            run.add({"mu": mu, "theta": theta}, chain=1)

    with ergodic.Run("eight schools") as run:                    # PyMC
        trace = pm.sample(callback=ergodic.watch_pymc(run))

Address and token come from ERGODIC_SERVER and ERGODIC_TOKEN (`ergodic token` makes one), or are given to `Run`.
"""

from .program import Stopped, answer, data, output, post_draws, sample, settings
from .runs import Run, watch_pymc

__all__ = ["Run", "Stopped", "answer", "data", "output", "post_draws", "sample", "settings", "watch_pymc"]
