def highest(heights):
    return max(heights)
