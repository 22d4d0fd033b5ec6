"""A configuration that knows nothing of Keystead."""

import os

SERVER_MODE = True
DATA_DIR = f"{os.environ['PROGRAM_FOLDER']}/data"
LOG_FILE = f"{DATA_DIR}/pgadmin4.log"
SQLITE_PATH = f"{DATA_DIR}/pgadmin4.db"
SESSION_DB_PATH = f"{DATA_DIR}/sessions"
STORAGE_DIR = f"{DATA_DIR}/storage"
DEFAULT_SERVER_PORT = int(os.environ["PROGRAM_PORT"])
