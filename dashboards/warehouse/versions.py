"""Names of versions of a player: with its settings, as in `1:horizon=2:playouts=80`."""

__all__ = ["settings_of", "version_of"]


def version_of(alias: str) -> str:
    """Return the SQL for the version of a player with its settings; `alias` is a table with `version` and `params`."""
    return f"array_to_string(list_prepend({alias}.version, {settings_of(alias)}), ':')"


def settings_of(alias: str) -> str:
    """Return the SQL for the settings of a player, a list of `name=value` in order."""
    setting = f"json_extract({alias}.params, '$.\"' || k || '\"')"
    number = f"format('{{:g}}', {setting}::double)"
    shown = f"case when json_type({setting}) = 'DOUBLE' then {number} else coalesce({setting} ->> '$', 'null') end"
    return f"list_transform(list_sort(json_keys({alias}.params)), lambda k: k || '=' || {shown})"
