-- What wrk sends: the requests of a file, one after the other, from a place on; each line METHOD PATH BODY.
-- wrk … -s load.lua URL -- FILE PLACE MOST_DELAY_IN_MILLISECONDS
local threads = {}
local lines = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  for line in io.lines(args[1]) do
    local method, path, body = line:match("^(%S+) (%S+) ?(.*)$")
    if body ~= "" then
      wrk.headers["Content-Type"] = "application/json"
      lines[#lines + 1] = wrk.format(method, path, nil, body)
    else
      lines[#lines + 1] = wrk.format(method, path)
    end
  end
  place = tonumber(args[2])
  local most = tonumber(args[3])
  if most > 0 then
    math.randomseed(place + 1)
    function delay()
      return math.random(0, most)
    end
  end
end

function request()
  place = place + 1
  return lines[(place - 1) % #lines + 1]
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests": %d, "microseconds": %d, "p50": %.3f, "p99": %.3f, "worst": %.3f, ' ..
    '"refused": %d, "broken": %d, "place": %d}\n',
    summary.requests, summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    latency.max / 1000, errors.status, errors.connect + errors.read + errors.write + errors.timeout, threads[1]:get("place")))
end
