// The error classifier and its three renderers: status, code, Retry-After, and no leaked cause.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CommitUnknown, DatabaseUnavailable } from '../db/database.ts'
import { declaredFaults } from '../kit/fault.ts'
import { classify } from './classify.ts'
import { errorPage } from './error-page.ts'
import { databaseUnavailable, uriTooLong } from './faults.ts'
import { oauthJson } from './oauth-json.ts'
import { problemJson } from './problem-json.ts'

const fastify = (code: string) => Object.assign(new Error('of Fastify'), { code })

it('classifies every error, with status, code and Retry-After', () => {
  const cases = [
    [uriTooLong({ retry_after_s: 7 }), 'fault', 414, 'uri_too_long', 7],
    [new DatabaseUnavailable('away'), 'database_unavailable', 503, 'database_unavailable', 1],
    [new CommitUnknown('lost'), 'commit_unknown', 503, 'database_unavailable', 1],
    [fastify('FST_ERR_CTP_BODY_TOO_LARGE'), 'body_too_large', 413, 'body_too_large', null],
    [
      fastify('FST_ERR_CTP_INVALID_MEDIA_TYPE'),
      'unsupported_media_type',
      415,
      'unsupported_media_type',
      null,
    ],
    [fastify('FST_ERR_BAD_URL'), 'bad_path', 404, 'route_not_found', null],
    [fastify('FST_ERR_MAX_PARAM_LENGTH'), 'long_path', 414, 'uri_too_long', null],
    [new Error('of ours'), 'bug', 500, 'internal_error', null],
    ['not an error', 'bug', 500, 'internal_error', null],
  ] as const
  for (const [error, ...expected] of cases) {
    const { kind, status, code, retry_after_s } = classify(error)
    assert.deepEqual([kind, status, code, retry_after_s], expected)
  }
})

const roots = {
  base_url: 'https://registrar.example',
  dashboard_url: 'https://registrar.example/dashboard',
}

it('keeps the cause for the log and out of every response', () => {
  for (const error of [new DatabaseUnavailable('secret host'), new Error('secret host')]) {
    const classified = classify(error)
    assert.equal(classified.fault.cause, error)
    const { body } = problemJson(classified.fault, 'r', roots)
    const responses = [body, oauthJson(classified, { body_limit: 1 }), errorPage(classified)]
    assert.doesNotMatch(JSON.stringify(responses), /secret/)
  }
})

it('renders an outage in each form, with the same status and wait', () => {
  const away = classify(new CommitUnknown('lost'), { retry_after_s: 2 })
  const problem = problemJson(away.fault, 'r', roots)
  const oauth = oauthJson(away, { body_limit: 1 })
  const page = errorPage(away)
  for (const { status, headers } of [problem, oauth, page])
    assert.deepEqual([status, headers['Retry-After']], [503, '2'])
  assert.equal(oauth.body.error, 'temporarily_unavailable')
  assert.equal(page.wait, '2 seconds')
})

it('names the seconds of Retry-After in the body, in the hint and as a number', () => {
  const named = declaredFaults().filter(({ hint }) => hint.includes('Retry-After'))
  assert.ok(named.includes(databaseUnavailable), 'a fault whose hint says when to try again')
  for (const type of named) {
    const { headers, body } = problemJson(type({ retry_after_s: 29.2 }), 'r', roots)
    const { retry_after_s, next_action }: { retry_after_s?: number; next_action?: object } = body
    assert.deepEqual([headers['Retry-After'], retry_after_s], ['30', 30])
    assert.match(JSON.stringify(next_action), /after 30 seconds/, type.code)
  }
  const one = problemJson(databaseUnavailable({ retry_after_s: 0.2 }), 'r', roots)
  assert.match(JSON.stringify(one.body), /after 1 second;/)
  const { body } = problemJson(uriTooLong(), 'r', roots)
  assert.ok(!('retry_after_s' in body))
})
