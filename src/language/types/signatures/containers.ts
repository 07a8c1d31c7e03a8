/** Making, measuring, reshaping, summarising and sorting containers; constants. */

export const containers = `
pi e sqrt2 log2 log10 not_a_number positive_infinity negative_infinity machine_precision() -> real
size(T) -> int
num_elements(vector|row_vector|matrix) -> int
num_elements(T[]) -> int
dims(T) -> int[]
rows cols(vector|row_vector|matrix) -> int
rep_array(T, int) -> T[]
rep_array(T, int, int) -> T[,]
rep_array(T, int, int, int) -> T[,,]
rep_vector(real, int) -> vector
rep_row_vector(real, int) -> row_vector
rep_matrix(real, int, int) -> matrix
rep_matrix(vector|row_vector, int) -> matrix
ones_vector zeros_vector(int) -> vector
ones_row_vector zeros_row_vector(int) -> row_vector
ones_array zeros_array(int) -> real[]
ones_int_array zeros_int_array(int) -> int[]
one_hot_vector(int, int) -> vector
one_hot_row_vector(int, int) -> row_vector
one_hot_array(int, int) -> real[]
one_hot_int_array(int, int) -> int[]
linspaced_vector(int, data real, data real) -> vector
linspaced_row_vector(int, data real, data real) -> row_vector
linspaced_array(int, data real, data real) -> real[]
linspaced_int_array(int, int, int) -> int[]
uniform_simplex(int) -> vector
identity_matrix(int) -> matrix
append_array(T[], T[]) -> T[]
append_row(real, vector) -> vector
append_row(vector, real|vector) -> vector
append_row(row_vector, row_vector|matrix) -> matrix
append_row(matrix, row_vector|matrix) -> matrix
append_col(real, row_vector) -> row_vector
append_col(row_vector, real|row_vector) -> row_vector
append_col(vector, vector|matrix) -> matrix
append_col(matrix, vector|matrix) -> matrix
head tail(vector, int) -> vector
head tail(row_vector, int) -> row_vector
head tail(T[], int) -> T[]
segment(vector, int, int) -> vector
segment(row_vector, int, int) -> row_vector
segment(T[], int, int) -> T[]
reverse(vector) -> vector
reverse(row_vector) -> row_vector
reverse(T[]) -> T[]
row(matrix, int) -> row_vector
col(matrix, int) -> vector
sub_row(matrix, int, int, int) -> row_vector
sub_col(matrix, int, int, int) -> vector
block(matrix, int, int, int, int) -> matrix
to_vector(vector|row_vector|matrix|int[]|real[]) -> vector
to_row_vector(vector|row_vector|matrix|int[]|real[]) -> row_vector
to_matrix(vector|row_vector|matrix) -> matrix
to_matrix(row_vector[]|int[,]|real[,]) -> matrix
to_matrix(vector|row_vector|matrix|int[]|real[], int, int) -> matrix
to_matrix(vector|row_vector|matrix|int[]|real[], int, int, int) -> matrix
to_array_1d(vector|row_vector|matrix) -> real[]
to_array_1d(int[]|int[,]|int[,,]|int[,,,]) -> int[]
to_array_1d(real[]|real[,]|real[,,]|real[,,,]) -> real[]
to_array_2d(matrix) -> real[,]
to_int(data real) -> int
to_int(data real[]) -> int[]
to_int(data real[,]) -> int[,]
to_int(data real[,,]) -> int[,,]
sum prod max min(int[]) -> int
sum prod max min(vector|row_vector|matrix|real[]) -> real
max min(int, int) -> int
mean sd variance(vector|row_vector|matrix|real[]) -> real
quantile(data vector|row_vector|real[], data real) -> real
quantile(data vector|row_vector|real[], data real[]) -> real[]
norm1 norm2(vector|row_vector|real[]) -> real
dot_self(vector|row_vector) -> real
dot_product(vector|row_vector, vector|row_vector) -> real
dot_product(real[], real[]) -> real
distance squared_distance(vector|row_vector, vector|row_vector) -> real
squared_distance(real, real) -> real
cumulative_sum sort_asc sort_desc(vector) -> vector
cumulative_sum sort_asc sort_desc(row_vector) -> row_vector
cumulative_sum sort_asc sort_desc(int[]) -> int[]
cumulative_sum sort_asc sort_desc(real[]) -> real[]
sort_indices_asc sort_indices_desc(vector|row_vector|int[]|real[]) -> int[]
rank(vector|row_vector|int[]|real[], int) -> int
softmax log_softmax(vector) -> vector
softmax log_softmax(row_vector) -> row_vector
softmax log_softmax(vector[]) -> vector[]
softmax log_softmax(row_vector[]) -> row_vector[]
log_mix(real, real, real) -> real
log_mix(vector|row_vector|real[], vector|row_vector|real[]) -> real
log_mix(vector|row_vector|real[], vector[]|row_vector[]) -> real
`;
