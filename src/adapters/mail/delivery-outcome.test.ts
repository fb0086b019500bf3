// The consequence of an SMTP error for the mail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOf, readSmtpError } from './delivery-outcome.ts'

const error = (fields: Record<string, unknown>) => kindOf(readSmtpError(fields))

test('is final only for a reply about the recipient or the content', () => {
  for (const command of ['RCPT TO', 'DATA'])
    for (const responseCode of [550, 551, 552, 553, 554])
      assert.equal(error({ code: 'EENVELOPE', command, responseCode }), 'refused')
  assert.equal(error({ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }), 'away')
  assert.equal(error({ code: 'EPROTOCOL', command: 'CONN', responseCode: 554 }), 'away')
})

test('counts a server that rejects our log-in as away for every mail, and fails none of them', () => {
  assert.equal(error({ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }), 'away')
  assert.equal(error({ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 530 }), 'away')
  assert.equal(error({ code: 'EENVELOPE', command: 'DATA', responseCode: 421 }), 'away')
})

test('a 4xx about the mail, and a session out of step, delay it', () => {
  assert.equal(error({ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450 }), 'delayed')
  assert.equal(error({ code: 'EMESSAGE', command: 'DATA', responseCode: 451 }), 'delayed')
  assert.equal(error({ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 503 }), 'delayed')
})

test('a connection that breaks in the middle leaves the outcome unknown', () => {
  assert.equal(error({ code: 'ECONNECTION', command: 'CONN' }), 'unknown')
  assert.equal(error({ code: 'EABORT' }), 'unknown')
  assert.equal(error({ code: 'ESOCKET', originalCode: 'ECONNRESET' }), 'unknown')
  assert.equal(error({ code: 'ETIMEDOUT', timeoutType: 'SOCKET_TIMEOUT' }), 'unknown')
})

test('a server that cannot be reached is away', () => {
  assert.equal(error({ code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' }), 'away')
  assert.equal(error({ code: 'EDNS' }), 'away')
  assert.equal(error({ code: 'ETLS' }), 'away')
  assert.equal(error({ code: 'ETIMEDOUT', timeoutType: 'GREETING_TIMEOUT' }), 'away')
  assert.equal(error({}), 'away')
})
