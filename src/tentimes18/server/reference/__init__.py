"""The reference of the API as a page: the OpenAPI document in plain HTML, without any script or foreign host."""
