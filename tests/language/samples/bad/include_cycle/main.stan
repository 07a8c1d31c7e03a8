#include "part.stan"
#include "missing.stan"
model {
  target += from_part + undefined_here;
}
