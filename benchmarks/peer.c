/*
 * Both ends of a measured connection, for tap_cost.py, which compiles and starts this.
 *
 * As a server (started by what is measured: nothing, a pair of tees, or the tap):
 *
 *   peer answer BOOT_MS           answers each request; the answer tells when main() was reached
 *   peer stream COUNT SIZE BUFFER answers one request, then the next with COUNT lines of SIZE
 *                                 bytes; BUFFER bytes a write, 0: one write a line
 *   peer binary BYTES             the same with one line of BYTES bytes that is not UTF-8
 *   peer leave                    answers requests; when its stdin ends it tells the moment and exits
 *
 * As a client, which pins itself and so all that it starts to processor CPU (-1: does not pin):
 *
 *   peer trips CPU COUNT COMMAND...   COUNT requests one after the other: median and p99
 *   peer drain CPU BYTES COMMAND...   from the second request until the last of BYTES bytes
 *   peer start CPU COMMAND...         from fork() to the server's main() and to its answer
 *   peer leaves CPU COMMAND...        from the exit of "peer leave" to that of the command
 *   peer lasts CPU COMMAND...         from fork() to the command's exit
 *
 * A client prints one line of numbers, all in nanoseconds. Every line on the wire is JSON-RPC but
 * the one that is not text.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LINE 200          /* bytes of a small message, its newline included */
#define FIRST_ID 1000000  /* seven digits for millions of requests, so that all are equally long */
#define ID_AT 21          /* where the digits are in a request and in an answer */
#define ID_DIGITS 7
#define SETTLED_MS 300    /* until whatever was started has nothing more to do */
#define CHUNK 65536       /* bytes read at once, and of a buffered write: what a pipe holds */

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void fail(const char *what)
{
    fprintf(stderr, "peer: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void *must(void *memory)
{
    if (!memory)
        fail("malloc");
    return memory;
}

static void put(int fd, const char *data, size_t size)
{
    while (size) {
        ssize_t n = write(fd, data, size);
        if (n < 0)
            fail("write");
        data += n;
        size -= (size_t)n;
    }
}

/* What a server's text looks like inside a JSON string: words, escapes, indentation. */
static const char SOURCE[] =
    "def handle(request: Request) -> Response:\\n"
    "    \\\"\\\"\\\"Answer one request; raises KeyError for an unknown path.\\\"\\\"\\\"\\n"
    "    return ROUTES[request.path](request, charset=\\\"utf-8\\\")\\n\\n";

/* A line of exactly SIZE bytes: start, as much text as fits, end, newline. */
static void fill(char *line, size_t size, const char *start, const char *text, const char *end)
{
    size_t at = strlen(start), last = size - strlen(end) - 1, length = strlen(text);
    memcpy(line, start, at);
    while (at + length <= last) {
        memcpy(line + at, text, length);
        at += length;
    }
    memset(line + at, ' ', last - at);
    memcpy(line + last, end, strlen(end));
    line[size - 1] = '\n';
}

static void request(char *line, long id)
{
    char start[128];
    snprintf(start, sizeof start,
             "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"method\":\"tools/call\",\"params\":"
             "{\"name\":\"search\",\"arguments\":{\"query\":\"", id);
    fill(line, LINE, start, "flight recorder ", "\"}}}");
}

static void answer(char *line, long long reached)
{
    char start[160];
    snprintf(start, sizeof start,
             "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"_meta\":{\"main_ns\":%lld},\"content\":"
             "[{\"type\":\"text\",\"text\":\"", FIRST_ID, reached);
    fill(line, LINE, start, "found it ", "\"}]}}");
}

static void result(char *line, size_t size)
{
    fill(line, size, "{\"jsonrpc\":\"2.0\",\"id\":1000000,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"",
         size > 2 * sizeof SOURCE + LINE ? SOURCE : "found it ", "\"}],\"isError\":false}}");
}

/* Servers. */

static void serve_answers(long long reached, int boot_ms)
{
    char in[CHUNK], out[LINE];
    size_t held = 0;
    struct timespec boot = {boot_ms / 1000, boot_ms % 1000 * 1000000L};
    nanosleep(&boot, NULL);
    answer(out, reached);
    for (;;) {
        ssize_t n = read(0, in + held, sizeof in - held);
        if (n <= 0)
            return;
        held += (size_t)n;
        size_t at = 0;
        for (; held - at >= LINE; at += LINE) {
            memcpy(out + ID_AT, in + at + ID_AT, ID_DIGITS);
            put(1, out, LINE);
        }
        memmove(in, in + at, held - at);
        held -= at;
    }
}

static void serve_and_leave(void)
{
    char in[LINE], out[LINE];
    size_t held = 0;
    ssize_t n;
    while ((n = read(0, in + held, LINE - held)) > 0)
        if ((held += (size_t)n) == LINE) {
            answer(out, 0);
            put(1, out, LINE);
            held = 0;
        }
    answer(out, now());
    put(1, out, LINE);
}

static void await_request(void)
{
    char in[LINE];
    for (size_t held = 0; held < LINE;) {
        ssize_t n = read(0, in + held, LINE - held);
        if (n <= 0)
            exit(0);
        held += (size_t)n;
    }
}

/* The first answer shows that everything in between is up; the second request starts the clock. */
static void meet(void)
{
    char out[LINE];
    answer(out, 0);
    await_request();
    put(1, out, LINE);
    await_request();
}

static void await_end(void)
{
    char in[CHUNK];
    while (read(0, in, sizeof in) > 0)
        ;
}

static void serve_stream(long count, size_t size, size_t buffer)
{
    char *line = must(malloc(size));
    result(line, size);
    meet();
    if (buffer <= size) {
        while (count--)
            put(1, line, size);
    } else {
        char *out = must(malloc(buffer));
        size_t held = 0;
        while (count--) {
            size_t first = size < buffer - held ? size : buffer - held;
            memcpy(out + held, line, first);
            held += first;
            if (held == buffer) {
                put(1, out, buffer);
                memcpy(out, line + first, size - first);
                held = size - first;
            }
        }
        put(1, out, held);
    }
    await_end();
}

static void serve_binary(size_t size)
{
    char *line = must(malloc(size));
    memset(line, 0xff, size);
    line[size - 1] = '\n';
    meet();
    put(1, line, size);
    await_end();
}

/* Clients. */

static pid_t child;
static int to_child, from_child;

static void start(char **command)
{
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
        fail("pipe");
    child = fork();
    if (child < 0)
        fail("fork");
    if (!child) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        execvp(command[0], command);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_child = in[1];
    from_child = out[0];
}

static void finish(void)
{
    char in[CHUNK];
    int status;
    close(to_child);
    while (read(from_child, in, sizeof in) > 0)
        ;
    if (waitpid(child, &status, 0) < 0)
        fail("waitpid");
    if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        fprintf(stderr, "peer: the command ended with wait status 0x%x\n", status);
        exit(1);
    }
}

static void get(char *line)
{
    size_t held = 0;
    while (held < LINE) {
        ssize_t n = read(from_child, line + held, LINE - held);
        if (n <= 0) {
            fprintf(stderr, "peer: no answer\n");
            exit(1);
        }
        held += (size_t)n;
    }
}

static int by_size(const void *a, const void *b)
{
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}

static void measure_trips(long count, char **command)
{
    char out[LINE], in[LINE];
    long warm_up = count / 10 + 100;
    long long *took = must(calloc((size_t)count, sizeof *took));
    start(command);
    for (long i = -warm_up; i < count; i++) {
        request(out, FIRST_ID + warm_up + i);
        long long began = now();
        put(to_child, out, LINE);
        get(in);
        if (i >= 0)
            took[i] = now() - began;
        if (memcmp(in + ID_AT, out + ID_AT, ID_DIGITS)) {
            fprintf(stderr, "peer: the answer to another request\n");
            exit(1);
        }
    }
    finish();
    qsort(took, (size_t)count, sizeof *took, by_size);
    printf("%lld %lld\n", took[count / 2], took[count - 1 - count / 100]);
}

static void measure_drain(long long left, char **command)
{
    char out[LINE], in[CHUNK];
    start(command);
    request(out, FIRST_ID);
    put(to_child, out, LINE);
    get(in);
    long long began = now();
    put(to_child, out, LINE);
    while (left > 0) {
        ssize_t n = read(from_child, in, sizeof in);
        if (n <= 0) {
            fprintf(stderr, "peer: the stream ended %lld bytes early\n", left);
            exit(1);
        }
        left -= n;
    }
    long long took = now() - began;
    finish();
    printf("%lld\n", took);
}

static void measure_start(char **command)
{
    char out[LINE], in[LINE + 1] = "";
    request(out, FIRST_ID);
    long long began = now();
    start(command);
    put(to_child, out, LINE);
    get(in);
    long long answered = now();
    finish();
    const char *reached = strstr(in, "\"main_ns\":");
    if (!reached) {
        fprintf(stderr, "peer: the answer does not tell the server's start\n");
        exit(1);
    }
    printf("%lld %lld\n", atoll(reached + strlen("\"main_ns\":")) - began, answered - began);
}

static void measure_leaves(char **command)
{
    char out[LINE], in[LINE + 1] = "";
    struct timespec settled = {0, SETTLED_MS * 1000000L};
    request(out, FIRST_ID);
    start(command);
    put(to_child, out, LINE);
    get(in);
    nanosleep(&settled, NULL);
    close(to_child);
    get(in);
    finish();
    printf("%lld\n", now() - atoll(strstr(in, "\"main_ns\":") + strlen("\"main_ns\":")));
}

static void measure_lasts(char **command)
{
    long long began = now();
    start(command);
    finish();
    printf("%lld\n", now() - began);
}

static void pin(int cpu)
{
    cpu_set_t set;
    if (cpu < 0)
        return;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set))
        fail("sched_setaffinity");
}

int main(int argc, char **argv)
{
    long long reached = now();
    const char *mode = argc > 1 ? argv[1] : "";
    if (argc == 3 && !strcmp(mode, "answer"))
        return serve_answers(reached, atoi(argv[2])), 0;
    if (argc == 5 && !strcmp(mode, "stream"))
        return serve_stream(atol(argv[2]), (size_t)atoll(argv[3]), (size_t)atoll(argv[4])), 0;
    if (argc == 2 && !strcmp(mode, "leave"))
        return serve_and_leave(), 0;
    if (argc == 3 && !strcmp(mode, "binary"))
        return serve_binary((size_t)atoll(argv[2])), 0;
    if (argc < 4)
        return fprintf(stderr, "usage: see the head of peer.c\n"), 2;
    pin(atoi(argv[2]));
    if (argc > 4 && !strcmp(mode, "trips"))
        return measure_trips(atol(argv[3]), argv + 4), 0;
    if (argc > 4 && !strcmp(mode, "drain"))
        return measure_drain(atoll(argv[3]), argv + 4), 0;
    if (!strcmp(mode, "start"))
        return measure_start(argv + 3), 0;
    if (!strcmp(mode, "leaves"))
        return measure_leaves(argv + 3), 0;
    if (!strcmp(mode, "lasts"))
        return measure_lasts(argv + 3), 0;
    return fprintf(stderr, "usage: see the head of peer.c\n"), 2;
}
