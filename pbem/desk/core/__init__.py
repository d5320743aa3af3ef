"""The values that all parts of the desk share: request, result, context, services, and who holds a seat."""
