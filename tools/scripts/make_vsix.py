#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs editor/vscode as an extension: make_vsix.py SOURCE VERSION OUT.vsix

npm installs vscode-languageclient, which the extension needs. `code --install-extension OUT.vsix` installs it.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.sax.saxutils
import zipfile

TYPES = {".json": "application/json", ".js": "application/javascript", ".md": "text/markdown", ".txt": "text/plain",
         ".vsixmanifest": "text/xml"}


def manifest(package, version):
    text = {key: xml.sax.saxutils.escape(package[key], {'"': "&quot;"}) for key in ("name", "displayName", "description", "publisher")}
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="{text["name"]}" Version="{version}" Publisher="{text["publisher"]}"/>
    <DisplayName>{text["displayName"]}</DisplayName>
    <Description xml:space="preserve">{text["description"]}</Description>
    <Categories>{",".join(package["categories"])}</Categories>
    <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="{package["engines"]["vscode"]}"/></Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
"""


def content_types(suffixes):
    rows = "".join(f'<Default Extension="{suffix}" ContentType="{TYPES.get(suffix, "application/octet-stream")}"/>' for suffix in sorted(suffixes))
    return f'<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{rows}</Types>\n'


def main():
    source, version, out = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch, "extension")
        shutil.copytree(source / "editor/vscode", folder)
        shutil.copy(source / "LICENSE", folder / "LICENSE.txt")
        package = json.loads((folder / "package.json").read_text())
        package["version"] = version
        (folder / "package.json").write_text(json.dumps(package, indent=2) + "\n")
        subprocess.run(["npm", "install", "--omit=dev", "--no-package-lock", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True)
        files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix not in (".ts", ".map")]
        out.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("extension.vsixmanifest", manifest(package, version))
            packed.writestr("[Content_Types].xml", content_types({path.suffix for path in files if path.suffix} | {".vsixmanifest"}))
            for path in files:
                packed.write(path, path.relative_to(scratch))
    print(out)


main()
