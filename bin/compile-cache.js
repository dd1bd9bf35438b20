// Reading and stripping our sources is most of what a short command costs; the second time it need not be done.
function keepCompiledCode() {
  const { HOME, TRAINYARD_CACHE, XDG_CACHE_HOME = HOME && `${HOME}/.cache` } = process.env
  const cache = TRAINYARD_CACHE ?? (XDG_CACHE_HOME && `${XDG_CACHE_HOME}/trainyard`)
  if (cache) require('node:module').enableCompileCache(`${cache}/compiled`)
}

module.exports = { keepCompiledCode }
