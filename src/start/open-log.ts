// The log: an entry of an error has the name of what failed, and none of the values that were in
// it.
import { type Logger, type LoggerOptions, pino } from 'pino'
import type { Settings } from '../config/config.ts'
import { loggedFacts } from '../kit/telemetry.ts'
import { isReadable, readableLog } from './readable-log.ts'

// PostgreSQL repeats rows, parameters and parts of documents in these; drivers and libraries add
// the parameters of a statement.
const withValues = new Set([
  'detail',
  'where',
  'hint',
  'internalQuery',
  'query',
  'parameters',
  'params',
  'values',
])

/** Logs to standard output, or as the given logger does, without values of the database. */
export function openLog(
  to: Logger | Pick<Settings, 'log_level' | 'log_format'>,
  onAlarm?: (name: string) => void,
): Logger {
  const serializers: LoggerOptions['serializers'] = { err: loggedError }
  const formatters = { log: loggedFacts(onAlarm) }
  if ('child' in to) return to.child({}, { serializers, formatters })
  const options = { level: to.log_level, serializers, formatters }
  const output = process.stdout
  return isReadable(to.log_format, output)
    ? pino(options, readableLog(output))
    : pino(options, outlivingDestination())
}

/** The most characters of lines that wait while the disk is full; later lines are dropped. */
const most_waiting_chars = 4 * 1024 * 1024

/**
 * Opens standard output as pino itself does. A line that cannot be written (ENOSPC) waits for the
 * next one, and neither ends the process nor keeps it from ending: pino's flush at the exit would
 * never end.
 */
function outlivingDestination() {
  const destination = pino.destination({ fd: 1, sync: false, maxLength: most_waiting_chars })
  const flush = destination.flushSync.bind(destination)
  destination.on('error', () => {
    destination.flushSync = () => undefined
  })
  destination.on('write', () => {
    destination.flushSync = flush
  })
  return destination
}

/** An error as it is logged. */
export function loggedError(thrown: Error): unknown {
  const shown = pino.stdSerializers.err(thrown)
  return withoutValues(shown)
}

function withoutValues(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.map(withoutValues)
  if (!isError(shown)) return shown
  const kept = Object.entries(shown).filter(([name]) => !withValues.has(name))
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const isText = name === 'message' || name === 'stack'
      return [name, isText ? unquoted(String(value)) : withoutValues(value)]
    }),
  )
}

function isError(shown: unknown): shown is object {
  return typeof shown === 'object' && shown !== null && 'message' in shown && 'stack' in shown
}

/**
 * Class 22 of PostgreSQL's errors repeats what it could not read at the end of the message:
 * `invalid input syntax for type json: "..."`, `value "..." is out of range`.
 */
function unquoted(text: string): string {
  return text
    .replaceAll(/(invalid input (?:syntax|value) for [^:\n]*: )"[^\n]*"/g, '$1"..."')
    .replaceAll(/(out of range: )"[^\n]*"/g, '$1"..."')
    .replaceAll(/value "[^\n]*" is out of range/g, 'value "..." is out of range')
}
