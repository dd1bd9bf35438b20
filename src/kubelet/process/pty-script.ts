/**
 * Runs its arguments on a pseudo-terminal: standard input and output are the terminal's, lines "columns rows" on
 * descriptor 3 set its size. Node has no pseudo-terminals of its own; Python, where it is, has.
 */
export const ptyScript = `
import fcntl, os, pty, select, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    os.close(3)
    os.execvp(sys.argv[1], sys.argv[1:])
sources = [3, 0, terminal]
pending = b''
while terminal in sources:
    for source in select.select(sources, [], [])[0]:
        try:
            data = os.read(source, 65536)
        except OSError:
            data = b''
        if not data:
            sources.remove(source)
            if source == 0:
                os.write(terminal, b'\\x04')
        elif source == terminal:
            while data:
                data = data[os.write(1, data):]
        elif source == 3:
            *lines, pending = (pending + data).split(b'\\n')
            for line in lines:
                columns, rows = map(int, line.split())
                fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
        else:
            while data:
                data = data[os.write(terminal, data):]
status = os.waitpid(pid, 0)[1]
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
`
