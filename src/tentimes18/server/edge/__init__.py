"""The edge of the service: what stands between the network and the handlers. `stack` puts it together."""
