print("many")
