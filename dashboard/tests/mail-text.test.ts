// Plain text of mails as parts: codes to copy, links as buttons, paragraphs without hard breaks.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { mailTextParts } from '../src/lib/mail-text.ts'

const text = `Hello,

Enter this code, or open the
link below it.

012345

Verify your email address:
http://localhost:8080/dashboard/sign-up/verify#token=sgt_0

It can:

> Claude
- See your domains
- Buy

-- 
agent-registrar, https://registrar.example
You get this mail because this address was entered there.
`

it('finds code, link and footer, and joins wrapped lines', () => {
  const url = 'http://localhost:8080/dashboard/sign-up/verify#token=sgt_0'
  assert.deepEqual(mailTextParts(text.replaceAll('\n', '\r\n')), [
    { kind: 'paragraph', lines: ['Hello,'] },
    { kind: 'paragraph', lines: ['Enter this code, or open the link below it.'] },
    { kind: 'code', code: '012345' },
    { kind: 'link', label: 'Verify your email address', url },
    { kind: 'paragraph', lines: ['It can:'] },
    { kind: 'paragraph', lines: ['> Claude', '- See your domains', '- Buy'] },
    {
      kind: 'footer',
      lines: [
        'agent-registrar, https://registrar.example',
        'You get this mail because this address was entered there.',
      ],
    },
  ])
})

it('makes no button of a URL with another scheme', () => {
  const [part] = mailTextParts('Open:\njavascript:alert(1)')
  assert.equal(part?.kind, 'paragraph')
})
