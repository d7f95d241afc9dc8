"""All rules there are."""

from __future__ import annotations

from mcp_tap.diagnosis.rule import Rule
from mcp_tap.rules.capabilities.cap001_not_offered import NotOffered
from mcp_tap.rules.capabilities.cap002_not_implemented import NotImplementedAtAll
from mcp_tap.rules.capabilities.cap003_undeclared_by_client import NotDeclaredByClient
from mcp_tap.rules.capabilities.cap004_change_not_declared import ChangeNotDeclared
from mcp_tap.rules.capabilities.cap005_log_not_declared import LogNotDeclared
from mcp_tap.rules.capabilities.cap006_below_level import BelowLevel
from mcp_tap.rules.framing.frm001_text_on_stdout import TextOnStdout
from mcp_tap.rules.framing.frm002_text_on_stdin import TextOnStdin
from mcp_tap.rules.framing.frm003_spread_message import SpreadMessage
from mcp_tap.rules.framing.frm004_two_messages import TwoOnALine
from mcp_tap.rules.framing.frm005_ends_mid_line import EndsInTheMiddle
from mcp_tap.rules.framing.frm006_blank_line import BlankLine
from mcp_tap.rules.framing.frm007_carriage_returns import CarriageReturns
from mcp_tap.rules.framing.frm009_not_utf8 import NotUtf8
from mcp_tap.rules.framing.frm010_byte_order_mark import ByteOrderMark
from mcp_tap.rules.framing.frm011_not_a_number import NotANumber
from mcp_tap.rules.framing.frm013_lone_surrogate import LoneSurrogate
from mcp_tap.rules.framing.frm015_huge_line import HugeLine
from mcp_tap.rules.framing.frm016_lsp_framing import LspFraming
from mcp_tap.rules.framing.frm017_coloured_lines import ColouredLines
from mcp_tap.rules.framing.frm018_json_log import JsonLog
from mcp_tap.rules.framing.frm019_encoded_twice import EncodedTwice
from mcp_tap.rules.jsonrpc.rpc001_no_version import NoVersion
from mcp_tap.rules.jsonrpc.rpc002_id_null import IdNull
from mcp_tap.rules.jsonrpc.rpc003_illegal_id import IllegalId
from mcp_tap.rules.jsonrpc.rpc005_id_used_again import IdUsedAgain
from mcp_tap.rules.jsonrpc.rpc006_id_in_flight import IdInFlight
from mcp_tap.rules.jsonrpc.rpc007_answers_nothing import AnswersNothing
from mcp_tap.rules.jsonrpc.rpc008_other_type import OtherType
from mcp_tap.rules.jsonrpc.rpc009_answered_twice import AnsweredTwice
from mcp_tap.rules.jsonrpc.rpc010_result_and_error import ResultAndError
from mcp_tap.rules.jsonrpc.rpc011_no_message import NoMessage
from mcp_tap.rules.jsonrpc.rpc012_result_no_object import ResultNoObject
from mcp_tap.rules.jsonrpc.rpc013_malformed_error import MalformedError
from mcp_tap.rules.jsonrpc.rpc014_params_no_object import ParamsNoObject
from mcp_tap.rules.jsonrpc.rpc015_notification_with_id import NotificationWithId
from mcp_tap.rules.jsonrpc.rpc016_request_without_id import RequestWithoutId
from mcp_tap.rules.jsonrpc.rpc018_batch_of_messages import Batch
from mcp_tap.rules.jsonrpc.rpc021_unknown_method import UnknownMethod
from mcp_tap.rules.jsonrpc.rpc022_other_version_method import MethodOfAnotherVersion
from mcp_tap.rules.jsonrpc.rpc023_wrong_direction import WrongDirection
from mcp_tap.rules.jsonrpc.rpc024_wrong_params import WrongParams
from mcp_tap.rules.jsonrpc.rpc025_wrong_result import WrongResult
from mcp_tap.rules.jsonrpc.rpc026_request_failed import RequestFailed
from mcp_tap.rules.jsonrpc.rpc027_unusual_code import UnusualCode
from mcp_tap.rules.jsonrpc.rpc028_undefined_code import UndefinedCode
from mcp_tap.rules.jsonrpc.rpc029_retired_code import RetiredCode
from mcp_tap.rules.jsonrpc.rpc030_unread_by_peer import PeerCouldNotRead
from mcp_tap.rules.jsonrpc.rpc031_notification_answered import NotificationAnswered
from mcp_tap.rules.lifecycle.lif001_not_initialized_first import NotInitializedFirst
from mcp_tap.rules.lifecycle.lif002_request_before_result import RequestBeforeResult
from mcp_tap.rules.lifecycle.lif003_never_initialized import NeverInitialized
from mcp_tap.rules.lifecycle.lif004_late_initialized import LateInitialized
from mcp_tap.rules.lifecycle.lif005_server_initialized import ServerInitialized
from mcp_tap.rules.lifecycle.lif006_server_asked_early import ServerAskedEarly
from mcp_tap.rules.lifecycle.lif007_incomplete_initialize import IncompleteInitialize
from mcp_tap.rules.lifecycle.lif008_initialized_twice import InitializedTwice
from mcp_tap.rules.lifecycle.lif009_initialize_refused import InitializeRefused
from mcp_tap.rules.lifecycle.lif010_initialize_unanswered import InitializeUnanswered
from mcp_tap.rules.lifecycle.lif011_versions_differ import VersionsDiffer
from mcp_tap.rules.lifecycle.lif012_client_gave_up import GaveUpOnVersion
from mcp_tap.rules.lifecycle.lif013_unknown_version import UnknownVersion
from mcp_tap.rules.lifecycle.lif014_initialize_cancelled import InitializeCancelled
from mcp_tap.rules.lifecycle.lif015_fell_back import FellBack
from mcp_tap.rules.lifecycle.lif016_probe_ignored import ProbeIgnored
from mcp_tap.rules.lifecycle.lif017_never_answered import NeverAnswered
from mcp_tap.rules.lifecycle.lif018_slow_ping import SlowPing
from mcp_tap.rules.lifecycle.lif021_client_never_answers import ClientNeverAnswers
from mcp_tap.rules.lifecycle.lif022_block_buffered import BlockBuffered
from mcp_tap.rules.lifecycle.lif023_stderr_not_read import StderrNotRead
from mcp_tap.rules.lifecycle.lif024_server_blocked import Blocked
from mcp_tap.rules.modern.mod001_no_envelope import NoEnvelope
from mcp_tap.rules.modern.mod003_no_result_type import NoResultType
from mcp_tap.rules.modern.mod004_unknown_result_type import UnknownResultType
from mcp_tap.rules.modern.mod005_no_asking_back import MayNotAskBack
from mcp_tap.rules.modern.mod006_asks_for_nothing import AsksForNothing
from mcp_tap.rules.modern.mod007_asks_too_much import AsksTooMuch
from mcp_tap.rules.modern.mod008_same_id import SameId
from mcp_tap.rules.modern.mod009_state_not_echoed import StateNotEchoed
from mcp_tap.rules.modern.mod011_never_came_back import NeverCameBack
from mcp_tap.rules.modern.mod012_no_caching_hints import NoCachingHints
from mcp_tap.rules.modern.mod014_server_asks import ServerAsks
from mcp_tap.rules.modern.mod015_client_answers import ClientAnswers
from mcp_tap.rules.modern.mod016_unasked_log import UnaskedLog
from mcp_tap.rules.modern.mod017_broken_subscription import BrokenSubscription
from mcp_tap.rules.modern.mod018_no_discovery import NoDiscovery
from mcp_tap.rules.modern.mod019_no_error_data import NoErrorData
from mcp_tap.rules.performance.prf001_slow_request import SlowRequest
from mcp_tap.rules.performance.prf002_near_timeout import NearTimeout
from mcp_tap.rules.performance.prf003_slow_start import SlowStart
from mcp_tap.rules.performance.prf004_large_result import LargeResult
from mcp_tap.rules.performance.prf005_large_list import LargeList
from mcp_tap.rules.performance.prf010_largest_message import LargestMessage
from mcp_tap.rules.process.pro001_not_started import NotStarted
from mcp_tap.rules.process.pro002_died_at_start import DiedAtStart
from mcp_tap.rules.process.pro003_died_in_call import DiedInACall
from mcp_tap.rules.process.pro004_non_zero_exit import NonZeroExit
from mcp_tap.rules.process.pro005_server_crashed import Crashed
from mcp_tap.rules.process.pro006_stays_after_eof import StaysAfterEof
from mcp_tap.rules.process.pro007_ended_by_signal import EndedBySignal
from mcp_tap.rules.process.pro008_known_complaint import KnownComplaint
from mcp_tap.rules.process.pro009_stack_trace import StackTrace
from mcp_tap.rules.process.pro010_restart_loop import RestartLoop
from mcp_tap.rules.process.pro011_closed_stdout import ClosedStdout
from mcp_tap.rules.process.pro012_left_behind import LeftBehind
from mcp_tap.rules.process.pro014_cold_start import ColdStart
from mcp_tap.rules.process.pro016_closed_abruptly import ClosedAbruptly
from mcp_tap.rules.process.pro018_overlapping_sessions import Overlapping
from mcp_tap.rules.process.pro019_left_by_itself import LeftByItself
from mcp_tap.rules.providers.prv001_composition_at_root import CompositionAtRoot
from mcp_tap.rules.providers.prv002_reference_to_nothing import ReferenceToNothing
from mcp_tap.rules.providers.prv003_array_without_items import ArrayWithoutItems
from mcp_tap.rules.providers.prv004_too_many_tools import TooManyTools
from mcp_tap.rules.providers.prv005_keyword_not_everywhere import KeywordNotEverywhere
from mcp_tap.rules.providers.prv006_argument_names import ArgumentNames
from mcp_tap.rules.providers.prv007_empty_text import EmptyText
from mcp_tap.rules.providers.prv008_image_type import ImageType
from mcp_tap.rules.providers.prv009_base64_in_text import Base64InText
from mcp_tap.rules.providers.prv010_placeholder import Placeholder
from mcp_tap.rules.providers.prv011_refused_by_google import RefusedByGoogle
from mcp_tap.rules.recording.tap001_log_failed import LogFailed
from mcp_tap.rules.recording.tap002_limit_reached import LimitReached
from mcp_tap.rules.recording.tap003_records_missing import RecordsMissing
from mcp_tap.rules.recording.tap004_cut_short import CutShort
from mcp_tap.rules.recording.tap005_tap_failed import TapFailed
from mcp_tap.rules.recording.tap006_reader_stalled import ReaderStalled
from mcp_tap.rules.results.res001_no_content import NoContent
from mcp_tap.rules.results.res002_unknown_content_type import UnknownContentType
from mcp_tap.rules.results.res003_invalid_base64 import InvalidBase64
from mcp_tap.rules.results.res005_empty_resource import EmptyResource
from mcp_tap.rules.results.res006_tool_failed import ToolFailed
from mcp_tap.rules.results.res007_failure_as_success import FailureAsSuccess
from mcp_tap.rules.results.res009_retry_loop import RetryLoop
from mcp_tap.rules.security.sec001_secret_in_arguments import SecretInArguments
from mcp_tap.rules.security.sec002_secret_in_output import SecretInOutput
from mcp_tap.rules.security.sec003_secrets_recorded import SecretsRecorded
from mcp_tap.rules.security.sec004_tool_changed import ToolChanged
from mcp_tap.rules.security.sec005_tool_changed_since import ToolChangedSince
from mcp_tap.rules.security.sec006_orders_to_model import Instruction
from mcp_tap.rules.security.sec007_invisible_text import InvisibleText
from mcp_tap.rules.security.sec008_sensitive_files import SensitiveFiles
from mcp_tap.rules.security.sec009_tells_to_hide import Concealment
from mcp_tap.rules.security.sec011_instruction_in_result import InstructionInResult
from mcp_tap.rules.security.sec012_elicits_secret import ElicitsSecret
from mcp_tap.rules.tools.tol001_tool_names import ToolNames
from mcp_tap.rules.tools.tol002_duplicate_tool import DuplicateTool
from mcp_tap.rules.tools.tol003_input_schema_missing import InputSchemaMissing
from mcp_tap.rules.tools.tol004_invalid_schema import InvalidSchema
from mcp_tap.rules.tools.tol006_unlisted_tool import UnlistedTool
from mcp_tap.rules.tools.tol007_arguments_misfit import ArgumentsDoNotFit
from mcp_tap.rules.tools.tol008_no_structured_content import NoStructuredContent
from mcp_tap.rules.tools.tol009_output_misfit import OutputDoesNotFit
from mcp_tap.rules.tools.tol011_structured_no_object import StructuredContentIsNoObject
from mcp_tap.rules.tools.tol016_endless_pages import EndlessPages
from mcp_tap.rules.tools.tol017_first_page_only import FirstPageOnly
from mcp_tap.rules.utilities.can001_unknown_cancelled import UnknownCancelled
from mcp_tap.rules.utilities.can002_request_cancelled import Cancelled
from mcp_tap.rules.utilities.can003_late_answer import LateAnswer
from mcp_tap.rules.utilities.prg001_unknown_token import UnknownToken
from mcp_tap.rules.utilities.prg002_no_progress import NoProgress
from mcp_tap.rules.utilities.prg003_progress_after_result import ProgressAfterResult
from mcp_tap.rules.utilities.prg005_token_not_unique import TokenNotUnique

RULES: tuple[type[Rule], ...] = (
    TextOnStdout,
    TextOnStdin,
    SpreadMessage,
    TwoOnALine,
    BlankLine,
    LspFraming,
    ColouredLines,
    JsonLog,
    EndsInTheMiddle,
    CarriageReturns,
    HugeLine,
    NotUtf8,
    ByteOrderMark,
    NotANumber,
    LoneSurrogate,
    EncodedTwice,
    NoVersion,
    ResultAndError,
    NoMessage,
    ResultNoObject,
    MalformedError,
    ParamsNoObject,
    Batch,
    NotificationWithId,
    RequestWithoutId,
    NotificationAnswered,
    IdNull,
    IllegalId,
    IdUsedAgain,
    IdInFlight,
    AnswersNothing,
    OtherType,
    AnsweredTwice,
    UnknownMethod,
    MethodOfAnotherVersion,
    WrongDirection,
    WrongParams,
    WrongResult,
    RequestFailed,
    UnusualCode,
    UndefinedCode,
    RetiredCode,
    PeerCouldNotRead,
    NotInitializedFirst,
    RequestBeforeResult,
    NeverInitialized,
    LateInitialized,
    ServerInitialized,
    ServerAskedEarly,
    InitializedTwice,
    InitializeCancelled,
    IncompleteInitialize,
    InitializeRefused,
    InitializeUnanswered,
    VersionsDiffer,
    GaveUpOnVersion,
    UnknownVersion,
    FellBack,
    ProbeIgnored,
    NeverAnswered,
    SlowPing,
    ClientNeverAnswers,
    BlockBuffered,
    StderrNotRead,
    Blocked,
    NotOffered,
    NotImplementedAtAll,
    NotDeclaredByClient,
    ChangeNotDeclared,
    LogNotDeclared,
    BelowLevel,
    ToolNames,
    DuplicateTool,
    InputSchemaMissing,
    UnlistedTool,
    EndlessPages,
    FirstPageOnly,
    InvalidSchema,
    ArgumentsDoNotFit,
    NoStructuredContent,
    OutputDoesNotFit,
    StructuredContentIsNoObject,
    NoContent,
    UnknownContentType,
    InvalidBase64,
    EmptyResource,
    ToolFailed,
    FailureAsSuccess,
    RetryLoop,
    CompositionAtRoot,
    ReferenceToNothing,
    ArrayWithoutItems,
    TooManyTools,
    KeywordNotEverywhere,
    ArgumentNames,
    RefusedByGoogle,
    EmptyText,
    ImageType,
    Base64InText,
    Placeholder,
    UnknownCancelled,
    Cancelled,
    LateAnswer,
    UnknownToken,
    NoProgress,
    ProgressAfterResult,
    TokenNotUnique,
    NoEnvelope,
    NoResultType,
    UnknownResultType,
    NoCachingHints,
    NoDiscovery,
    NoErrorData,
    MayNotAskBack,
    AsksForNothing,
    AsksTooMuch,
    SameId,
    StateNotEchoed,
    NeverCameBack,
    ServerAsks,
    ClientAnswers,
    UnaskedLog,
    BrokenSubscription,
    SlowRequest,
    NearTimeout,
    SlowStart,
    LargeResult,
    LargeList,
    LargestMessage,
    NotStarted,
    DiedAtStart,
    KnownComplaint,
    StackTrace,
    ColdStart,
    DiedInACall,
    NonZeroExit,
    Crashed,
    ClosedStdout,
    LeftByItself,
    StaysAfterEof,
    EndedBySignal,
    LeftBehind,
    ClosedAbruptly,
    RestartLoop,
    Overlapping,
    LogFailed,
    LimitReached,
    RecordsMissing,
    CutShort,
    TapFailed,
    ReaderStalled,
    SecretInArguments,
    SecretInOutput,
    SecretsRecorded,
    ElicitsSecret,
    ToolChanged,
    ToolChangedSince,
    Instruction,
    InvisibleText,
    SensitiveFiles,
    Concealment,
    InstructionInResult,
)
"""In the order in which they are listed, and in which they are asked."""

BY_ID: dict[str, type[Rule]] = {rule.id: rule for rule in RULES}
