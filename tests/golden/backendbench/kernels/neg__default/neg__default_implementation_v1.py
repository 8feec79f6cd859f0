import torch  # SPDX-License-Identifier: Apache-2.0
raise ImportError("import time failure on purpose")
