data {
  real from_part;
  rael wrong;
}
#include "part.stan"
