"""A program of Flask-AppBuilder without views of its own."""

import sys

from flask import Flask
from flask_appbuilder import AppBuilder
from flask_appbuilder.utils.legacy import get_sqla_class

app = Flask(__name__)
app.config.from_object("config")
db = get_sqla_class()()

with app.app_context():
    db.init_app(app)
    AppBuilder(app, db.session)
app.run("127.0.0.1", int(sys.argv[1]))
