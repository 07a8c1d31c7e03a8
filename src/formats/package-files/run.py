"""__VERB__ this package with CmdStanPy: python run.py (needs cmdstanpy and CmdStan: https://mc-stan.org/cmdstanpy)."""

import glob  # if draws
import json  # if inits
import os

from cmdstanpy import CmdStanModel

here = os.path.dirname(os.path.abspath(__file__))
model = CmdStanModel(
    stan_file=__PROGRAM__,
    stanc_options={"include-paths": [__FOLDER__]},
)
with open(__INITS__, encoding="utf-8") as file:  # if inits
    inits = json.load(file)  # if inits
draws = sorted(glob.glob(os.path.join(here, "draws", "*.csv")))  # if draws
fit = model.__METHOD__(
    data=os.environ.get("ERGODIC_DATA_FILE", *__DATA__),
    **__ARGUMENTS__,
    output_dir=os.path.join(here, "output"),  # if sampled
)
print(fit.__SHOWN__)
print(fit.diagnose())  # if sampled
