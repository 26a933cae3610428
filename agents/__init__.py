"""The players, one folder each."""

from pkgutil import extend_path

# Where the framework is run, another folder of this name may hold other agents: they are found too.
__path__ = extend_path(__path__, __name__)
