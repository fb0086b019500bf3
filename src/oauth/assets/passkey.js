// Log-in with a passkey, on a page that works without scripts: shows the button where the browser
// can do it, and sends the browser's response with the form.
const part = document.getElementById('passkey')
const button = part?.querySelector('button')
const field = part?.querySelector('input')
const problem = part?.querySelector('[role=alert]')
const known = globalThis.PublicKeyCredential
const isDomain = !/^[\d.]+$|^\[/.test(location.hostname)

if (part && button && field && problem && isDomain && known?.parseRequestOptionsFromJSON) {
  part.hidden = false
  button.addEventListener('click', (event) => {
    event.preventDefault()
    problem.hidden = true
    logIn().catch(() => {
      problem.hidden = false
    })
  })
}

async function logIn() {
  const response = await fetch('/v1/dashboard/passkey/options', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  })
  if (!response.ok) throw new Error(`options: ${response.status}`)
  const { options } = await response.json()
  const publicKey = known.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  field.value = JSON.stringify(credential.toJSON())
  button.form.requestSubmit(button)
}
