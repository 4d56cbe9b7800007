"""Networks of the real architectures, written as people bring them: folders that the real loading code reads.

They are tiny or as large as they come, and random: what they give is held against what the library itself makes of the
same weights. The pyannote pipeline, which has published weights, is in scripts/pyannote_folder.py.
"""

import json
from pathlib import Path

LETTERS = tuple("ETAONIHSRDLUMWCFGYPBVK'XJQZ")
EMOTIONS = {0: "neu", 1: "hap", 2: "ang", 3: "sad"}
_TINY = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64,
    "conv_dim": (32,) * 7, "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2,
}  # fmt: skip


def aligner(folder: Path) -> Path:
    """Write a wav2vec2 that gives letters, with its processor."""
    import torch
    from transformers import Wav2Vec2Config, Wav2Vec2CTCTokenizer, Wav2Vec2FeatureExtractor, Wav2Vec2ForCTC
    from transformers import Wav2Vec2Processor as Processor

    folder.mkdir()
    vocabulary = {token: place for place, token in enumerate(["<pad>", "<s>", "</s>", "<unk>", "|", *LETTERS])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    tokenizer = Wav2Vec2CTCTokenizer(str(folder / "vocab.json"))
    Processor(Wav2Vec2FeatureExtractor(), tokenizer).save_pretrained(str(folder))
    torch.manual_seed(0)
    Wav2Vec2ForCTC(Wav2Vec2Config(vocab_size=len(vocabulary), **_TINY)).save_pretrained(str(folder))
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    return folder


def classifier(folder: Path, kind: str, *, pickled: bool = False) -> Path:
    """Write a classifier of speech: `Wav2Vec2` or `WavLM`."""
    import torch
    import transformers

    config = getattr(transformers, f"{kind}Config")(id2label=EMOTIONS, classifier_proj_size=16, **_TINY)
    torch.manual_seed(1)
    model = getattr(transformers, f"{kind}ForSequenceClassification")(config)
    torch.nn.init.normal_(model.classifier.weight, std=8.0)
    folder.mkdir()
    model.save_pretrained(str(folder), safe_serialization=not pickled)
    transformers.Wav2Vec2FeatureExtractor(do_normalize=True).save_pretrained(str(folder))
    return folder


def tagger(path: Path) -> Path:
    """Write a checkpoint of Cnn14_DecisionLevelMax: random, as large as the published one."""
    import torch

    from tools.events.recognisers import panns

    with panns._labelled_home():
        from panns_inference.models import Cnn14_DecisionLevelMax
    torch.manual_seed(2)
    network = Cnn14_DecisionLevelMax(**panns.NETWORK, classes_num=527)
    torch.save({"model": network.state_dict()}, path)
    return path
