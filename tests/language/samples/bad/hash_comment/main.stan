# An old comment.
data {
  int N; # another
}
model {
  int M = N
}
