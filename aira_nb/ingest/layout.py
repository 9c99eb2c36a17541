"""PDF through docling's layout, table and OCR models: the extra ``[layout]``.

Nothing is ever downloaded from here: the models must be in a folder already.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from aira_nb.errors import InputError, MissingDependencyError
from aira_nb.ingest.items import blocks_of
from aira_nb.ingest.records import Content, NoTextError

__all__ = ["find_artifacts", "read_pdf_with_layout"]

_VARIABLE = "DOCLING_ARTIFACTS_PATH"
_DOWNLOAD = (
    "The models are docling-layout-heron (about 0.2 GB), docling-models with TableFormer (about 0.4 GB) and, for scans, "
    "RapidOCR (about 0.1 GB). Fetch them once with: docling-tools models download layout tableformer rapidocr -o FOLDER; "
    f"then pass artifacts_path=FOLDER or set {_VARIABLE}=FOLDER."
)


def find_artifacts(artifacts_path: str | None) -> str | None:
    """Return the folder of models to use, or None to read PDFs without models.

    The argument counts before the environment variable ``DOCLING_ARTIFACTS_PATH``, which is docling's own and
    therefore no error where docling's models cannot run.

    Raises
    ------
    MissingDependencyError
        If the argument is given and docling's model packages are not installed.
    InputError
        If the folder does not hold the layout and table models.
    """
    folder = artifacts_path or os.environ.get(_VARIABLE)
    if not folder:
        return None
    installed = all(importlib.util.find_spec(name) for name in ("docling", "torch", "docling_ibm_models"))
    if not installed:
        if artifacts_path is None:
            return None
        raise MissingDependencyError("docling", extra="layout", purpose="Reading PDFs with layout models")
    missing = [name for name in ("docling-layout-*", "docling-models") if not list(Path(folder).glob(f"*--{name}"))]
    if missing:
        raise InputError(f"{folder}: holds no {' and no '.join(missing)} model folder. {_DOWNLOAD}")
    return folder


def read_pdf_with_layout(path: str, artifacts: str) -> Content:
    """Return the content of a PDF as docling's standard pipeline reads it.

    OCR runs on pages without text if `artifacts` holds RapidOCR's or EasyOCR's models.

    Raises
    ------
    InputError
        If docling cannot convert the file.
    NoTextError
        If there is no text even so.
    """
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.pipeline_options import PdfPipelineOptions
    from docling.document_converter import DocumentConverter, PdfFormatOption
    from docling.exceptions import ConversionError

    ocr = any(Path(artifacts, name).is_dir() for name in ("RapidOcr", "EasyOcr"))
    options = PdfPipelineOptions(
        artifacts_path=artifacts, do_ocr=ocr, do_table_structure=True, enable_remote_services=False
    )
    converter = DocumentConverter(
        allowed_formats=[InputFormat.PDF], format_options={InputFormat.PDF: PdfFormatOption(pipeline_options=options)}
    )
    try:
        document = converter.convert(path).document
    except ConversionError as error:
        cause = str(error).rstrip(".")
        raise InputError(f"{path}: docling could not convert it ({cause}). Try without artifacts_path.") from error
    blocks = blocks_of(document)
    if not blocks:
        raise NoTextError(f"{path}: no text found{'' if ocr else ', and no OCR model in ' + artifacts}. {_DOWNLOAD}")
    pages = len(document.pages)
    silent = sorted(set(range(1, pages + 1)) - {r.page for block in blocks for r in block.regions})
    warnings = (f"pages without text: {', '.join(map(str, silent))}",) if silent else ()
    title = next((block.text for block in blocks if block.kind == "title"), "")
    return Content(tuple(blocks), title, page_count=pages, warnings=warnings)
