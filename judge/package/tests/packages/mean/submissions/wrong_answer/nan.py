print("Mean", float("nan"))
