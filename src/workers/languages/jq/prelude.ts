/** Builtins written in jq, as jq's own are. */
export const prelude = `
def map(f): [.[] | f];
def map_values(f): .[] |= f;
def select(f): if f then . else empty end;
def recurse(f; cond): def r: ., (f | select(cond) | r); r;
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type | . == "array" or . == "object");
def scalars: select(type | . != "array" and . != "object");
def finites: select(isinfinite or isnan | not);
def normals: select(isnormal);
def add(f): reduce f as $x (null; . + $x);
def add: add(.[]);
def any(generator; condition): isempty(first(generator | condition | select(.))) | not;
def any(f): any(.[]; f);
def any: any(.);
def all(generator; condition): isempty(first(generator | condition | select(. | not)));
def all(f): all(.[]; f);
def all: all(.);
def in(xs): . as $x | xs | has($x);
def inside(xs): . as $x | xs | contains($x);
def del(f): delpaths([path(f)]);
def paths: path(..) | select(length > 0);
def paths(node_filter): . as $dot | paths | select(. as $p | $dot | getpath($p) | node_filter);
def leaf_paths: paths(scalars);
def pick(pathexps): . as $top | reduce path(pathexps) as $p (null; setpath($p; $top | getpath($p)));
def to_entries: [keys_unsorted[] as $k | {key: $k, value: .[$k]}];
def from_entries: reduce .[] as $x ({};
  . + { ($x | if type == "object" then (if has("key") then .key elif has("k") then .k elif has("name") then .name
      elif has("Name") then .Name elif has("Key") then .Key else .K end) else . end
    | if type == "string" then . elif type == "null" then "null" else tojson end):
    ($x | if type != "object" then null elif has("value") then .value elif has("v") then .v else .Value end) });
def with_entries(f): to_entries | map(f) | from_entries;
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def nth($n; f): if $n < 0 then error("nth doesn't support negative indices") else first(skip($n; f)) end;
def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdate: fromdateiso8601;
def date: todate;
def ascii_downcase: explode | map(if 65 <= . and . <= 90 then . + 32 end) | implode;
def ascii_upcase: explode | map(if 97 <= . and . <= 122 then . - 32 end) | implode;
def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;
def match(re; mode): _match(re; mode; false) | .[];
def match($val): ($val | type) as $vt | if $vt == "string" then match($val; null)
  elif $vt == "array" and ($val | length) > 1 then match($val[0]; $val[1])
  elif $vt == "array" and ($val | length) > 0 then match($val[0]; null)
  else error($vt + " not a string or array") end;
def test(re; mode): _match(re; mode; true);
def test($val): ($val | type) as $vt | if $vt == "string" then test($val; null)
  elif $vt == "array" and ($val | length) > 1 then test($val[0]; $val[1])
  elif $vt == "array" and ($val | length) > 0 then test($val[0]; null)
  else error($vt + " not a string or array") end;
def capture(re; mods): match(re; mods) | [.captures | .[] | select(.name != null) | {key: .name, value: .string}] | from_entries;
def capture($val): ($val | type) as $vt | if $vt == "string" then capture($val; null)
  elif $vt == "array" and ($val | length) > 1 then capture($val[0]; $val[1])
  elif $vt == "array" and ($val | length) > 0 then capture($val[0]; null)
  else error($vt + " not a string or array") end;
def scan($re; $flags): match($re; "g" + $flags) | if (.captures | length) > 0 then [.captures | .[] | .string] else .string end;
def scan($re): scan($re; null);
def splits($re; flags): . as $s | foreach ((match($re; flags + "g") | [.offset, .length]), null) as $m ([0, null];
  if $m == null then [.[0], $s[.[0]:]] else [$m[0] + $m[1], $s[.[0]:$m[0]]] end; .[1]);
def splits($re): splits($re; null);
def split($re; flags): [splits($re; flags)];
def sub($re; str; $flags): . as $in | [match($re; $flags)] as $edits | if $edits == [] then $in else
  reduce $edits[] as $edit ({result: [], previous: 0};
      $in[.previous: $edit.offset] as $gap
    | [reduce ($edit.captures[] | select(.name != null) | {(.name): .string}) as $pair ({}; . + $pair) | str] as $inserts
    | reduce range($inserts | length) as $i (.; .result[$i] += $gap + $inserts[$i])
    | .previous = $edit.offset + $edit.length)
  | .result[] + $in[.previous:] end;
def sub($re; str): sub($re; str; "");
def gsub($re; str; $flags): sub($re; str; $flags + "g");
def gsub($re; str): sub($re; str; "g");
def ascii: [.] | implode;
def INDEX(stream; idx_expr): reduce stream as $row ({}; .[$row | idx_expr | tostring] |= $row);
def INDEX(idx_expr): INDEX(.[]; idx_expr);
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def JOIN($idx; idx_expr): [.[] | [., $idx[idx_expr]]];
def JOIN($idx; stream; idx_expr): stream | [., $idx[idx_expr]];
def JOIN($idx; stream; idx_expr; join_expr): stream | [., $idx[idx_expr]] | join_expr;
def tostream: path(def r: (.[]? | r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);
def fromstream(f): {x: null, e: false} as $init | foreach f as $i ($init;
  if .e then $init end
  | if $i | length == 2 then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1])
    else setpath(["e"]; $i[0] | length == 1) end;
  if .e then .x else empty end);
def truncate_stream(stream): . as $n | null | stream | . as $input | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;
def abs: if type == "number" and . < 0 then - . elif type == "number" then . else error("\\(type) (\\(tojson)) has no absolute value") end;
def toboolean: if type == "boolean" then . elif . == "true" then true elif . == "false" then false
  else error("\\(type) (\\(tojson)) cannot be parsed as a boolean") end;
def have_literal_numbers: true;
def have_decnum: false;
def debug: .;
def debug(f): .;
def stderr: .;
def input_line_number: 0;
def input_filename: null;
def env: {};
def ltrimstr($x): if type == "string" and ($x | type) == "string" and startswith($x) then .[($x | length):] else . end;
def rtrimstr($x): if type == "string" and ($x | type) == "string" and ($x | length) > 0 and endswith($x) then .[:length - ($x | length)] else . end;
def trimstr($x): ltrimstr($x) | rtrimstr($x);
def min_by(f): _by_extreme([.[] | [f]]; false);
def max_by(f): _by_extreme([.[] | [f]]; true);
def min: _by_extreme([.[] | [.]]; false);
def max: _by_extreme([.[] | [.]]; true);
def sort: _sort_by([.[] | [.]]);
def sort_by(f): _sort_by([.[] | [f]]);
def group_by(f): _group_by([.[] | [f]]);
def unique: _group_by([.[] | [.]]) | map(.[0]);
def unique_by(f): _group_by([.[] | [f]]) | map(.[0]);
def transpose: [range(0; map(length) | max // 0) as $i | [.[][$i]]];
def bsearch($target): _bsearch($target);
def constant($x): $x;
def index($i): indices($i) | .[0];
def rindex($i): indices($i) | .[-1:][0];
`;
