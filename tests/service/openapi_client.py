#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A client that knows nothing of the service but its OpenAPI document: it calls every operation with the example that
the document gives, and holds each answer to what the document says of it.

    openapi_client.py PROGRAM WORKER

PROGRAM is `warpbench-service`, and WORKER the fake worker. Answers are held to their schemas where the package
jsonschema is installed, and the document to OpenAPI's own schema where openapi_spec_validator is."""
import json
import os
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

try:
    import jsonschema
except ImportError:
    jsonschema = None
try:
    import openapi_spec_validator
except ImportError:
    openapi_spec_validator = None


def look_at_lists(schema, where):
    """Generators of clients want to know what a list has in it."""
    if isinstance(schema, dict):
        kinds = schema.get("type")
        assert kinds != "array" and (not isinstance(kinds, list) or "array" not in kinds) or "items" in schema, where
    parts = schema.items() if isinstance(schema, dict) else enumerate(schema) if isinstance(schema, list) else ()
    for name, part in parts:
        if name not in ("example", "default"):
            look_at_lists(part, f"{where}/{name}")


class Client:
    def __init__(self, address):
        self.address = address
        self.known = {}  # what answers have told: a run's id, a session's
        status, _, body = self.send("get", "/openapi.json", {}, None)
        assert status == 200, status
        self.document = json.loads(body)
        look_at_lists(self.document, "")
        self.called = 0

    def send(self, method, path, headers, body):
        request = urllib.request.Request(self.address + path, body, headers, method=method.upper())
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                # A stream of unasked messages has no end: its beginning is enough.
                is_endless = method == "get" and path == "/mcp/"
                return answer.status, answer.headers, b"" if is_endless else answer.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.headers, refused.read()

    def value_of(self, parameter):
        name = parameter["name"].lower()
        return self.known.get(name, parameter.get("example"))

    def call(self, method, path, operation):
        where = f"{method} {path}"
        query, headers, real = {}, {"Accept": "application/json, text/event-stream"}, path
        for parameter in operation.get("parameters", ()):
            value = self.value_of(parameter)
            assert value is not None or not parameter.get("required"), f"{where}: no example of {parameter['name']}"
            if value is None:
                continue
            if parameter["in"] == "path":
                real = real.replace("{%s}" % parameter["name"], urllib.parse.quote(str(value)))
            elif parameter["in"] == "query":
                query[parameter["name"]] = value
            else:
                headers[parameter["name"]] = value
        assert "{" not in real, where
        body = None
        if "requestBody" in operation:
            (kind, content), = operation["requestBody"]["content"].items()
            self.hold(where + ", the example", content["schema"], content["example"])
            headers["Content-Type"], body = kind, json.dumps(content["example"]).encode()
        elif method == "post":
            body = b""
        if query:
            real += "?" + urllib.parse.urlencode(query)
        status, told, text = self.send(method, real, headers, body)
        self.check(where, operation, status, told, text)
        self.called += 1
        return status, told, text

    def check(self, where, operation, status, told, text):
        said = operation["responses"].get(str(status), operation["responses"].get("default"))
        assert said, f"{where}: {status} is not described: {text[:300]}"
        contents = {kind.split(";")[0]: each for kind, each in said.get("content", {}).items()}
        if not contents or not text:
            return
        kind = told.get_content_type()
        assert kind in contents, f"{where}: {kind} is not described"
        if kind == "application/json":
            self.hold(f"{where}, {status}", contents[kind].get("schema", {}), json.loads(text))

    def hold(self, where, schema, value):
        if jsonschema is None:
            return
        whole = dict(schema, components=self.document["components"])
        wrong = [f"{list(each.path)}: {each.message}" for each in jsonschema.Draft202012Validator(whole).iter_errors(value)]
        assert not wrong, f"{where}: {wrong[:5]}"

    def run(self):
        operations = [(method, path, operation) for path, methods in self.document["paths"].items()
                      for method, operation in methods.items()]
        first = [("post", "/v1/runs"), ("post", "/mcp/")]  # they make what others ask for
        order = {"post": 1, "get": 2, "delete": 3}
        # Without Python, requests of the evaluation server find no worker; health would say so.
        last = ("/evaluate", "/compare", "/")
        operations.sort(key=lambda each: (each[1] in last, 0 if each[:2] in first else order[each[0]]))
        for method, path, operation in operations:
            self.known["wait"] = 30
            status, told, text = self.call(method, path, operation)
            assert status < 300 or path in last, f"{method} {path}: {status} {text[:300]}"
            if (method, path) == first[0]:
                self.known["id"] = json.loads(text)["id"]
            if (method, path) == first[1]:
                self.known["mcp-session-id"] = told["mcp-session-id"]
        return len(operations)


def main():
    program, worker = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        # Where there is no Python, a request of the evaluation server is refused at once.
        places = {"WARPBENCH_WORKER": worker, "WARPBENCH_CONFIG": folder + "/config", "WARPBENCH_DATA": folder + "/data",
                  "WARPBENCH_PYTHON": folder + "/none"}
        server = subprocess.Popen(
            [program, "serve", "--port", "0", "--devices", "cpu", "--sandbox", "false", "--strict", "false"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **places})
        try:
            client = Client(server.stdout.readline().strip().rstrip("/"))
            if openapi_spec_validator is not None:
                openapi_spec_validator.validate(client.document)
            else:
                print("openapi_spec_validator is not installed: the document was not held to OpenAPI's schema")
            if jsonschema is None:
                print("jsonschema is not installed: answers were not held to their schemas")
            print(f"{client.run()} operations do what the document says")
        finally:
            server.terminate()
            server.wait(30)


main()
