// Texts of the dialog that keeps a proof of the audit log.
export const auditProofTexts = {
  open: 'Keep a proof',
  title: 'Keep a proof of your log',
  text:
    'With a signed copy of your log, you can prove any later change to it, even one made by this ' +
    'service.',
  head: 'Signed head of the log',
  block: 'Block',
  hash: 'Hash',
  key: 'Key',
  saveHead: 'Save the head',
  export: 'Your log with its proofs',
  exportText:
    'The audit verifier, in the source code of this service, checks the file offline. Write down ' +
    'the key above once, and pass it to the verifier each time.',
  saveExport: 'Save the log',
  command: 'Command that verifies the file',
}
