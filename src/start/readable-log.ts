// The log as it is read at a terminal: one short line for each request and event. Programs read
// JSON, so LOG_FORMAT decides which, and without it whether standard output is a terminal.
import pretty from 'pino-pretty'
import type { Settings } from '../config/config.ts'

type Output = { isTTY?: boolean; hasColors?: () => boolean }

/** Whether a log with this setting is written for a reader, not for a program. */
export function isReadable(format: Settings['log_format'], output: Output): boolean {
  return format === 'auto' ? output.isTTY === true : format === 'text'
}

/** A stream that pino writes JSON lines to. Errors keep their stack, on lines of their own. */
export function readableLog(output: NodeJS.WritableStream & Output): ReturnType<typeof pretty> {
  return pretty({
    destination: output,
    sync: true,
    colorize: output.isTTY === true && output.hasColors?.() === true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: ['pid', 'hostname', ...ofRequests].join(','),
    singleLine: true,
    messageFormat: (line, message) =>
      line.route === undefined ? text(line[message]) : request(line),
  })
}

/** The fields of a request's line, which its message contains. */
const ofRequests = ['request_id', 'method', 'route', 'status', 'ms', 'error_code', 'who']

/**
 * The line of a request: `POST /v1/domains 402 insufficient_funds, 12 ms, cus_..., request 71d6...`
 */
function request(line: Record<string, unknown>): string {
  const { method, route, status, ms, error_code, who, request_id } = line
  const failed = error_code ? [`request ${text(request_id)}`] : []
  const outcome = [method, route, status, error_code].filter(Boolean).map(text).join(' ')
  return [outcome, `${Math.round(Number(ms))} ms`, ...(who ? [text(who)] : []), ...failed].join(
    ', ',
  )
}

function text(value: unknown): string {
  return String(value ?? '')
}
