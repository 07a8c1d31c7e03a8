functions {
  void f() {
    print("hi");
  }
}
model {
  target += f();
}
